import type { IncomingMessage, Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { MAX_HEAD } from './request-head.js';

const HEAD_END = Buffer.from('\r\n\r\n');
const CR = 0x0d;
const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

/** The head that is arriving on one connection, possibly in many packets. */
class CurrentHead {
  /** The bytes since the head began; undefined while its beginning is unknown. */
  private kept: Buffer | undefined = NOTHING;
  /** Bytes of a body yet to arrive before the next head. */
  private bodyLeft = 0;
  private request: IncomingMessage | undefined;
  private endsCleanly = false;

  /** Records a packet before the parser reads it. */
  take(packet: Buffer): void {
    // The end of a chunked body is not visible here. An unfinished head never ends in an empty line.
    if (!this.kept && this.request?.complete && this.endsCleanly) this.kept = NOTHING;
    this.endsCleanly = packet.subarray(-HEAD_END.length).equals(HEAD_END);
    if (!this.kept) return;
    if (this.kept.length === 0) this.kept = packet;
    else if (this.kept.length < MAX_HEAD) this.kept = Buffer.concat([this.kept, packet]);
    this.skipBody();
  }

  /** Drops a head that became a request; its body or the next head follows. */
  finish(request: IncomingMessage): void {
    this.request = request;
    const end = this.kept?.indexOf(HEAD_END, startOf(this.kept)) ?? -1;
    if (!this.kept || end < 0 || request.headers['transfer-encoding'] !== undefined) {
      this.kept = undefined;
      return;
    }
    this.kept = this.kept.subarray(end + HEAD_END.length);
    this.bodyLeft = Number(request.headers['content-length'] ?? 0);
    this.skipBody();
  }

  /** The unfinished head as far as it arrived, one character per byte. */
  get text(): string {
    if (!this.kept) return '';
    const start = startOf(this.kept);
    const end = this.kept.indexOf(HEAD_END, start);
    return this.kept.toString('latin1', start, end < 0 ? undefined : end);
  }

  private skipBody(): void {
    if (!this.kept) return;
    const skipped = Math.min(this.bodyLeft, this.kept.length);
    this.bodyLeft -= skipped;
    // An empty subarray would keep the memory of the whole packet alive.
    this.kept = skipped === this.kept.length ? NOTHING : this.kept.subarray(skipped);
  }
}

/** Where a head begins: empty lines before it are ignored (RFC 9112 section 2.2). */
function startOf(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === CR || bytes[start] === LF) start++;
  return start;
}

/**
 * Keeps the beginning of the head that is arriving on each connection, because the parser hands over only
 * the last packet of an invalid head, and nothing of a head that times out.
 * The listener makes Node read sockets through JavaScript, which costs some 7 µs a request; without it an
 * invalid or slow search request would not get its envelope (docs/api-contract.md#search-errors).
 * @returns a function that reads the text of a connection's unfinished head: the first 16 KiB and the rest
 * of the packet in which they end; empty when the beginning is unknown
 */
export function keepHeads(server: Server): (connection: Duplex) => string {
  const heads = new WeakMap<Duplex, CurrentHead>();
  const opened = server instanceof HttpsServer ? 'secureConnection' : 'connection';
  server.on(opened, (connection: Duplex) => {
    const head = new CurrentHead();
    heads.set(connection, head);
    connection.prependListener('data', (packet: Buffer) => head.take(packet));
  });
  server.prependListener('request', (request: IncomingMessage) =>
    heads.get(request.socket)?.finish(request),
  );
  return (connection) => heads.get(connection)?.text ?? '';
}
