import { invalidField, type Refusal } from '../errors/refusals.js';

/** What Node hands over when its HTTP parser stops. */
export interface ParserError extends NodeJS.ErrnoException {
  /** The bytes that were being parsed, which may begin in the middle of a request. */
  rawPacket?: Buffer;
  /** How many of them the parser took. */
  bytesParsed?: number;
}

/** What can be told of a request that never became one. */
export interface BrokenHead {
  /** The request target as it came; undefined when its beginning arrived in an earlier packet. */
  target?: string;
  origin?: string;
}

const HEAD_END = '\r\n\r\n';

/** A request line, of which the end may be missing or broken. */
const REQUEST_LINE = /^(?:\r\n)*[A-Z]+ (\S[^\r\n]*?)(?: HTTP\/\d\.\d)?(?:\r\n|$)/;

/** Reads the head in which the parser stopped, as far as it is in the same packet. */
export function brokenHeadOf({ rawPacket, bytesParsed = 0 }: ParserError): BrokenHead {
  const packet = rawPacket?.toString('latin1') ?? '';
  let start = 0;
  let end = packet.indexOf(HEAD_END);
  // The parser went through what stands before: requests that a client sends without awaiting answers.
  while (end >= 0 && end + HEAD_END.length <= bytesParsed) {
    // A body could look like a head.
    if (/^(content-length|transfer-encoding):/im.test(packet.slice(start, end))) return {};
    start = end + HEAD_END.length;
    end = packet.indexOf(HEAD_END, start);
  }
  const head = packet.slice(start, end < 0 ? undefined : end);
  return {
    target: REQUEST_LINE.exec(head)?.[1],
    origin: /^origin:[ \t]*(\S+)[ \t]*\r?$/im.exec(head)?.[1],
  };
}

/**
 * What is wrong with a request target that the parser refuses (RFC 9112 section 3.2). Portals that
 * send a search marker unchanged send a raw ¤.
 */
export function targetFault(target: string): Refusal | undefined {
  const at = target.search(/[^!-~]/);
  if (at < 0) return undefined;
  const message =
    target.charCodeAt(at) > 0x7f
      ? 'characters outside ASCII must be percent-encoded in UTF-8, the ¤ of a marker as %C2%A4'
      : 'blanks and control characters must be percent-encoded, a blank as %20';
  return invalidField(target.slice(0, at).includes('?') ? 'query' : 'path', message);
}
