import type { IncomingMessage } from 'node:http';

/** Ends a head, and a chunked body (RFC 9112 sections 2.1 and 7.1). */
const EMPTY_LINE = Buffer.from('\r\n\r\n');
/** Most bytes of an empty line that may have come with the packet before. */
const OVERLAP = EMPTY_LINE.length - 1;
const CR = 0x0d;
const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

/** The request that is arriving on one connection, possibly in many packets: where it ends (RFC 9112 section 6.3). */
export class ArrivingMessage {
  /** The last arrived bytes, in which an empty line may have begun. */
  private tail: Buffer = NOTHING;
  /** Bytes of an announced body that have not arrived. */
  private bodyLeft = 0;
  /** Bytes of empty lines since the last request. */
  emptyBytes = 0;
  /** Whether a part of a head has arrived. */
  private isInHead = false;
  /** The request of which a body is arriving. */
  private request: IncomingMessage | undefined;

  /**
   * Takes the beginning of a packet before the parser reads it: up to the end of the head, after which the parser calls
   * `begin`, or up to the end of the request.
   */
  take(packet: Buffer): Buffer {
    if (this.bodyLeft > 0) return this.takeBody(packet);
    const start = this.isComplete && !this.isInHead ? startOf(packet) : 0;
    this.emptyBytes += start;
    this.isInHead ||= this.isComplete && start < packet.length;
    return beginningOf(packet, this.endIn(packet, start));
  }

  /** The parser has read a head; its body or the next head follows. */
  begin(request: IncomingMessage): void {
    this.tail = NOTHING;
    this.emptyBytes = 0;
    this.isInHead = false;
    this.request = request;
    this.bodyLeft = Number(request.headers['content-length'] ?? 0);
  }

  /** Whether the connection is between two requests. */
  get isBetween(): boolean {
    return this.request !== undefined && this.isComplete && !this.isInHead;
  }

  /** Whether the latest request has arrived with its body. */
  get isComplete(): boolean {
    return this.request?.complete ?? true;
  }

  private takeBody(packet: Buffer): Buffer {
    const piece = beginningOf(packet, this.bodyLeft);
    this.bodyLeft -= piece.length;
    return piece;
  }

  /** Where the first empty line ends that begins behind a place in a packet; the end of the packet without one. */
  private endIn(packet: Buffer, start: number): number {
    const { tail } = this;
    const arrived = packet.subarray(start);
    const seen = tail.length === 0 ? arrived : Buffer.concat([tail, arrived]);
    const at = seen.indexOf(EMPTY_LINE);
    // A copy: the tail must not keep its packet.
    this.tail = at < 0 ? Buffer.from(seen.subarray(-OVERLAP)) : NOTHING;
    return at < 0 ? packet.length : start + at + EMPTY_LINE.length - tail.length;
  }
}

/** Returns the packet itself if it is whole, because another view of it costs time. */
const beginningOf = (packet: Buffer, length: number): Buffer =>
  length < packet.length ? packet.subarray(0, length) : packet;

/** Where a head begins: empty lines before it are ignored (RFC 9112 section 2.2). */
function startOf(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start++;
  return start;
}
