import { faultOfText, hasInvisible, satisfies } from '../../base/validation/class-validation.js';
import { TextAttribute, type TextOptions } from './text-attribute.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/**
 * Names that no object may have: segments that clients resolve before they send a path (RFC 3986 section 5.2.4), and
 * the path of the attributes.
 */
const RESERVED = ['.', '..', 'attributes'];

export interface NameOptions extends TextOptions {
  /** Further words that stand in the place of a name in the paths of its resource, in lower case. */
  reserved?: readonly string[];
}

/** A login or a reference, which names its object in paths and in links (docs/api-contract.md#names). */
export class NameAttribute extends TextAttribute {
  /** The forbidden words. */
  readonly words: ReadonlySet<string>;

  constructor({ reserved = [], ...options }: NameOptions) {
    super(options);
    this.words = new Set([...RESERVED, ...reserved]);
  }

  override isBlank(value: unknown): boolean {
    return value === '' || super.isBlank(value);
  }

  override rules(): PropertyDecorator[] {
    const { fault } = this.options;
    return [
      satisfies(
        (value) =>
          faultOfText(value, this.maxLength) ??
          fault?.(value as string) ??
          this.faultOfName(value as string),
      ),
    ];
  }

  private faultOfName(text: string): Reason | undefined {
    if (/^\p{Z}|\p{Z}$/u.test(text)) return reason('blank-at-an-end');
    if (hasInvisible(text.replaceAll(' ', ''))) return reason('visible-characters');
    if (text.includes('/')) return reason('slash-in-name');
    return this.words.has(text.normalize('NFKC').toLowerCase())
      ? reason('reserved-word', { word: text })
      : undefined;
  }
}
