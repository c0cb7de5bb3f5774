import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The values that differ between people who see the same tiles. */
const OWN_VALUES = /(?<="count":|"favourite":)(\d+|true|false)/;

/** Upper bound of the overhead of a shared text, in bytes. */
const OVERHEAD_BYTES = 500;
const PIECE_BYTES = 40;

/** A text without the parts that it shares with others. */
export interface OwnPart {
  /** Names the rest. */
  shape: string;
  values: string[];
}

/**
 * Keeps the JSON of many people. Answers that differ only in counters and favourites share the rest. Its memory is
 * bounded; the least recently used texts go first.
 */
export class SharedTexts {
  private readonly shapes: LRUCache<string, string[]>;

  /** @param maxSize in bytes */
  constructor(maxSize: number) {
    this.shapes = new LRUCache({ maxSize, sizeCalculation: bytesOf });
  }

  /** Memory of the shared texts, in bytes. */
  get size(): number {
    return this.shapes.calculatedSize;
  }

  store(text: string): OwnPart {
    // Every second piece is a personal value.
    const pieces = text.split(OWN_VALUES);
    const values = pieces.filter((_, at) => at % 2 === 1);
    const shared = pieces.filter((_, at) => at % 2 === 0);
    const shape = hash('sha1', shared.join('\0'), 'base64url');
    if (!this.shapes.get(shape)) this.shapes.set(shape, shared);
    return { shape, values };
  }

  /** Restores the text; undefined once the shared part has been evicted. */
  restore({ shape, values }: OwnPart): (() => string) | undefined {
    const shared = this.shapes.get(shape);
    return shared && (() => join(shared, values));
  }
}

function join(shared: string[], values: string[]): string {
  let text = shared[0]!;
  for (let at = 0; at < values.length; at++) text += values[at]! + shared[at + 1]!;
  return text;
}

/** A character takes up to two bytes. */
const bytesOf = (shared: string[]): number =>
  shared.reduce((sum, piece) => sum + PIECE_BYTES + 2 * piece.length, OVERHEAD_BYTES);
