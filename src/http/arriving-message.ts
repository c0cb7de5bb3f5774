import type { IncomingMessage } from 'node:http';
import { MAX_HEAD } from './request-head.js';

const HEAD_END = Buffer.from('\r\n\r\n');
/** Most bytes of an empty line that may have come with the packet before. */
const OVERLAP = HEAD_END.length - 1;
const CR = 0x0d;
const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

/**
 * The request that is arriving on one connection, possibly in many packets: where it ends (RFC 9112 section 6.3), and the
 * text of its head, of which the parser hands over only the last packet when it is invalid, and nothing when it times out.
 */
export class ArrivingMessage {
  /** The head while it arrives: its first 16 KiB and the rest of the packet in which they end. */
  private head: Buffer = NOTHING;
  /** The last bytes of what has arrived, in which the empty line may have begun that ends a head or a chunked body. */
  private tail: Buffer = NOTHING;
  /** Bytes of an announced body that have not arrived. */
  private bodyLeft = 0;
  /** Bytes of empty lines since the last request. */
  emptyBytes = 0;
  /** The request of which a body is arriving. */
  private request: IncomingMessage | undefined;

  /**
   * Takes the beginning of a packet, before the parser reads it: at most until the end of the request, and until the end
   * of its head, behind which the parser calls `begin`.
   */
  take(packet: Buffer): Buffer {
    if (this.bodyLeft > 0) return this.takeBody(packet);
    // A chunked body ends in an empty line too (RFC 9112 section 7.1).
    const isHead = !this.request || this.request.complete;
    // Empty lines before a head are ignored (RFC 9112 section 2.2).
    const start = isHead && this.head.length === 0 ? startOf(packet) : 0;
    this.emptyBytes += start;
    const piece = beginningOf(packet, this.endIn(packet, start));
    if (!isHead) return piece;
    if (this.head.length === 0) this.head = start === 0 ? piece : piece.subarray(start);
    else if (this.head.length < MAX_HEAD) this.head = Buffer.concat([this.head, piece]);
    return piece;
  }

  /** Drops a head that became a request; its body or the next head follows. */
  begin(request: IncomingMessage): void {
    this.head = NOTHING;
    this.tail = NOTHING;
    this.emptyBytes = 0;
    this.request = request;
    this.bodyLeft = Number(request.headers['content-length'] ?? 0);
  }

  /** Whether a request has arrived, at least its head. */
  get hasBegun(): boolean {
    return this.request !== undefined;
  }

  /** Whether the latest request has arrived with its body. */
  get isComplete(): boolean {
    return this.request?.complete ?? true;
  }

  /** The unfinished head as far as it arrived, one character per byte. */
  get text(): string {
    const end = this.head.indexOf(HEAD_END);
    return this.head.toString('latin1', 0, end < 0 ? undefined : end);
  }

  private takeBody(packet: Buffer): Buffer {
    const piece = beginningOf(packet, this.bodyLeft);
    this.bodyLeft -= piece.length;
    return piece;
  }

  /** Where the first empty line ends that begins behind a place in a packet; the end of the packet without one. */
  private endIn(packet: Buffer, start: number): number {
    const { tail } = this;
    const seam = tail.length > 0 ? Buffer.concat([tail, packet.subarray(0, OVERLAP)]) : NOTHING;
    const inSeam = seam.indexOf(HEAD_END);
    const at = inSeam < 0 ? packet.indexOf(HEAD_END, start) : inSeam - tail.length;
    const isFound = at >= 0 || inSeam >= 0;
    this.tail = isFound
      ? NOTHING
      : Buffer.concat([tail, packet.subarray(start).subarray(-OVERLAP)]).subarray(-OVERLAP);
    return isFound ? at + HEAD_END.length : packet.length;
  }
}

/** Mostly the whole packet, of which another view would cost time. */
const beginningOf = (packet: Buffer, length: number): Buffer =>
  length < packet.length ? packet.subarray(0, length) : packet;

/** Where a head begins. */
function startOf(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start++;
  return start;
}
