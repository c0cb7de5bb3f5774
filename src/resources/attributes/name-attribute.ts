import { faultOfText, hasInvisible, satisfies } from '../../http/class-validation.js';
import { TextAttribute } from './text-attribute.js';
import { type Reason, reason } from '../../errors/reason.js';

/** Segments of a path that clients resolve before they send it (RFC 3986 section 5.2.4). */
const DOTS = ['.', '..'];

/** A login or a reference, which names its object in paths and in links (docs/api-contract.md#names). */
export class NameAttribute extends TextAttribute {
  private reserved: ReadonlySet<string> | undefined;

  /** Refuses the words that stand in the place of a name in the paths of its resource. */
  reserve(words: Iterable<string>): void {
    this.reserved = new Set([...DOTS, ...words].map((word) => word.toLowerCase()));
  }

  /** The words that are refused; undefined before `reserveWords`. */
  get words(): ReadonlySet<string> | undefined {
    return this.reserved;
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

  /** @throws Error before `reserveWords` */
  private faultOfName(text: string): Reason | undefined {
    if (!this.reserved) throw new Error(`the words that ${this.name} cannot be are not known yet`);
    if (/^\p{Z}|\p{Z}$/u.test(text)) return reason('blank-at-an-end');
    if (hasInvisible(text.replaceAll(' ', ''))) return reason('visible-characters');
    if (text.includes('/')) return reason('slash-in-name');
    return this.reserved.has(text.normalize('NFKC').toLowerCase())
      ? reason('reserved-word', { word: text })
      : undefined;
  }
}
