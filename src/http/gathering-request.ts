import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { GrowingBuffer } from './growing-buffer.js';

/** The first pieces of a body pass unjoined, because some clients write a line or a field at a time. */
const USUAL_PIECES = 32;

/** Later pieces shorter than this, in bytes, are joined, up to this size per turn of the event loop. */
const SHORT_PIECE = 1024;
const MOST_GATHERED = 16 * 1024;

/**
 * Most pieces of a body in a second, plus one for each 16 bytes. Usual clients write longer pieces, and each piece
 * costs more than its bytes.
 */
export const MOST_PIECES = 1024;
export const LEAST_PIECE = 16;
const SECOND = 1000;

/** Error code of a request with more pieces; the server gets it like an error of Node's parser. */
export const TOO_MANY_PIECES = 'TOO_MANY_PIECES';

/** The property that Node adds to connections of a server. */
type Accepted = Socket & { server: Server };

/** The pieces and bytes of the present period of at least a second. */
interface Counted {
  since: number;
  pieces: number;
  bytes: number;
}

const beginCount = (): Counted => ({ since: performance.now(), pieces: 0, bytes: 0 });

/**
 * Makes a class of requests that join the short pieces of a body. With the chunked coding (RFC 9112 section 7.1), one
 * read from the socket can yield ten thousand pieces of a byte, each of which takes 330 bytes of memory and a pass
 * through all listeners. Joined, they are one piece per turn of the event loop. A body with still more pieces is
 * aborted.
 */
export const makeRequestClass = (): typeof IncomingMessage =>
  class Request extends IncomingMessage {
    private pieces = 0;
    private isBrokenOff = false;
    private counted: Counted | undefined;
    private gathered: GrowingBuffer | undefined;

    /** Node's parser calls it with each piece, and with null at the end. */
    override push(piece: Buffer | null): boolean {
      // Half a body must not look like a whole one.
      if (this.isBrokenOff) return false;
      if (piece !== null && ++this.pieces > USUAL_PIECES && piece.length < SHORT_PIECE)
        return this.gather(piece);
      this.passOn();
      return super.push(piece);
    }

    /** Node calls it for a body that no handler has read. It still counts the pieces. */
    _dump(): void {
      this.removeAllListeners('data');
      this.resume();
    }

    private gather(piece: Buffer): boolean {
      this.gathered ??= new GrowingBuffer(MOST_GATHERED + SHORT_PIECE);
      if (this.gathered.length >= MOST_GATHERED) this.passOn();
      // Node runs microtasks after each piece, but immediates after all pieces of a read.
      if (this.gathered.length === 0) setImmediate(() => this.passOn());
      this.gathered.add(piece);
      if (this.hasTooMany(piece.length)) this.breakOff();
      return !this.isBrokenOff && this.gathered.length < MOST_GATHERED;
    }

    private hasTooMany(length: number): boolean {
      const counted = (this.counted ??= beginCount());
      counted.bytes += length;
      if (++counted.pieces <= MOST_PIECES + counted.bytes / LEAST_PIECE) return false;
      if (performance.now() - counted.since <= SECOND) return true;
      this.counted = beginCount();
      return false;
    }

    private breakOff(): void {
      this.isBrokenOff = true;
      const error = Object.assign(new Error(), { code: TOO_MANY_PIECES });
      (this.socket as Accepted).server.emit('clientError', error, this.socket);
    }

    private passOn(): void {
      if (this.isBrokenOff || this.destroyed) return;
      if (this.gathered !== undefined && this.gathered.length > 0) super.push(this.gathered.take());
    }
  };
