import type { Row } from '../../database/database.js';
import { presentRef, type Ref, REF_BYTES } from '../ref.js';
import type { SqlViewer } from '../visibility.js';
import type { AttributeType, PresentContext } from './attribute.js';
import { ComputedAttribute } from './computed-attributes.js';

/** A Ref that no column of the row holds; neither sorted nor filtered. */
export class ComputedLinkAttribute extends ComputedAttribute {
  override readonly type: AttributeType = 'link';
  override readonly levels = 1;

  /**
   * @param uri of the resource that it links to, without the id
   * @param sql a JSON array of id, reference and label, or null
   */
  constructor({ uri, sql }: { uri: string; sql: (alias: string, viewer?: SqlViewer) => string }) {
    super({
      sql,
      make: (value): Ref | null => {
        if (value === null) return null;
        const [id, reference, label] = value as [string, string, string];
        return presentRef({ uri }, id, reference, label);
      },
      schema: { oneOf: [{ $ref: '#/components/schemas/Ref' }, { type: 'null' }] },
      maxBytes: REF_BYTES,
    });
  }

  override display(row: Row, at: number, _context: PresentContext): unknown {
    return (row[at] as [string, string, string] | null)?.[2] ?? null;
  }

  override displaySchema(): Record<string, unknown> {
    return { type: ['string', 'null'], description: 'the label of the linked object' };
  }
}
