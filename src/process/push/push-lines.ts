import { ApiError } from '../../base/errors/api-errors.js';
import { GrowingBuffer } from '../../http/growing-buffer.js';
import { parseJson } from '../../http/json-body.js';
import { UnreadableItem } from './push-item.js';
import { reason } from '../../base/errors/reason.js';

/** Longest line, in bytes: that of a usual body. */
const MAX_LINE = 100 * 1024;

const NEWLINE = 10;

const TOO_LONG = new UnreadableItem([
  { name: 'body', reason: reason('line-too-long', { max: MAX_LINE / 1024 }) },
]);

/**
 * Splits the bytes of NDJSON into items, one a line. A line that cannot be read is an item that says so. Of a line that
 * is too long nothing is kept.
 */
export class LineReader {
  /** The bytes of the current line so far. `length` also counts bytes that are not kept. */
  private readonly begun = new GrowingBuffer(MAX_LINE);
  private length = 0;

  /** @returns the items of the lines that these bytes complete, and their bytes */
  take(chunk: Buffer): { item: unknown; bytes: number }[] {
    const items: { item: unknown; bytes: number }[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      items.push(...this.end());
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    return items;
  }

  /** @returns the item of the last line, which may end without a newline */
  end(): { item: unknown; bytes: number }[] {
    const bytes = this.length;
    const line = this.begun.take();
    this.length = 0;
    if (bytes > MAX_LINE) return [{ item: TOO_LONG, bytes }];
    return line.every(isBlank) ? [] : [{ item: parseLine(line), bytes }];
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.length > MAX_LINE) this.begun.take();
    else this.begun.add(part);
  }
}

/** Spaces, tabs and carriage returns. */
const isBlank = (byte: number): boolean => byte === 32 || byte === 9 || byte === 13;

function parseLine(line: Buffer): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details.fields) throw error;
    return new UnreadableItem(error.details.fields);
  }
}
