import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Position } from '../journal/position.js';
import { formatPosition, parsePosition } from './position-text.js';

/** A place in the journal: the last returned row, by its transaction and its id. */
export interface Place {
  xid: string;
  id: string;
}

/** The position of a consumer of the feed. */
export interface Cursor {
  /** The id of the caller. */
  caller: string;
  /** The indexes of the kinds in `KINDS`. */
  kinds: number[];
  /** The identity of the journal. */
  journal: string;
  /** A digest of the caller's rights that decide which objects of these kinds the caller sees. */
  rights: string;
  /** When `from` was current, in seconds since 1970. */
  time: number;
  /** The consumer has every change that was visible at this position. */
  from: Position;
  /** Within pages of changes: the position up to which they go, and the last returned row. */
  until?: { position: Position; after: Place };
  /** Within the full listing: the index of the kind in `kinds`, and the last returned id of that kind. */
  listed?: { kind: number; after: string };
}

/** A change of the text below makes cursors of former versions unreadable. */
const VERSION = 1;

/** The members of the text, in this order. */
type Payload = [
  version: number,
  caller: string,
  kinds: number[],
  journal: string,
  rights: string,
  time: number,
  from: string,
  until: [position: string, xid: string, id: string] | 0,
  listed: [kind: number, after: string] | 0,
];

const SHAPE = /^([\w-]{8})\.([\w-]+)\.([\w-]{43})$/;

/** Signs cursors and checks their signatures, so that a client cannot read the journal from a forged place. */
export class CursorSigner {
  private readonly key: Buffer;
  /** Names the key in its cursors, because each database has its own. */
  readonly keyId: string;

  constructor(secret: Buffer) {
    this.key = createHmac('sha256', secret).update('cursors of the change feed').digest();
    this.keyId = hash('sha256', this.key, 'base64url').slice(0, 8);
  }

  sign(cursor: Cursor): string {
    const payload = Buffer.from(JSON.stringify(payloadOf(cursor))).toString('base64url');
    return `${this.keyId}.${payload}.${this.signatureOf(payload).toString('base64url')}`;
  }

  /** @returns undefined unless a server with this secret has signed the text */
  verify(text: string): Cursor | undefined {
    const [, , payload, signature] = SHAPE.exec(text) ?? [];
    if (payload === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, 'base64url');
    // A signature has one spelling: the last character of 43 has bits that no byte uses.
    if (given.toString('base64url') !== signature) return undefined;
    if (!timingSafeEqual(given, this.signatureOf(payload))) return undefined;
    return cursorOf(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload);
  }

  private signatureOf(payload: string): Buffer {
    return createHmac('sha256', this.key).update(payload).digest();
  }
}

/** The key that a cursor names; undefined for any other text. */
export const keyIdOf = (text: string): string | undefined => SHAPE.exec(text)?.[1];

const payloadOf = (cursor: Cursor): Payload => {
  const { caller, kinds, journal, rights, time, from, until, listed } = cursor;
  return [
    VERSION,
    caller,
    kinds,
    journal,
    rights,
    time,
    formatPosition(from),
    until ? [formatPosition(until.position), until.after.xid, until.after.id] : 0,
    listed ? [listed.kind, listed.after] : 0,
  ];
};

function cursorOf(payload: Payload): Cursor | undefined {
  const [version, caller, kinds, journal, rights, time, from, until, listed] = payload;
  if (version !== VERSION) return undefined;
  return {
    ...{ caller, kinds, journal, rights, time, from: parsePosition(from) },
    ...(until && {
      until: { position: parsePosition(until[0]), after: { xid: until[1], id: until[2] } },
    }),
    ...(listed && { listed: { kind: listed[0], after: listed[1] } }),
  };
}
