import { invalidField, type ApiError } from '../errors/api-errors.js';

/** What can be told of a request that never became one. */
export interface BrokenHead {
  /** The request target as it came, or the part of it that arrived; undefined when no part did. */
  target?: string;
  origin?: string;
}

/** A request line, of which the end may be missing or broken; a method is a token (RFC 9110 section 9.1). */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (\S[^\r\n]*?)(?: HTTP\/\d\.\d)?(?:[\r\n]|$)/;

/** Reads a head in which the parser stopped, from its beginning as far as it arrived. */
export const brokenHeadOf = (text: string): BrokenHead => ({
  target: REQUEST_LINE.exec(text)?.[1],
  origin: /^origin:[ \t]*(\S+)[ \t]*\r?$/im.exec(text)?.[1],
});

/**
 * What is wrong with a request target that the parser refuses (RFC 9112 section 3.2). Portals that
 * send a search marker unchanged send a raw ¤.
 */
export function validateTarget(target: string): ApiError | undefined {
  const at = target.search(/[^!-~]/);
  if (at < 0) return undefined;
  const message =
    target.charCodeAt(at) > 0x7f
      ? 'characters outside ASCII must be percent-encoded in UTF-8, the ¤ of a marker as %C2%A4'
      : 'blanks and control characters must be percent-encoded, a blank as %20';
  return invalidField(target.slice(0, at).includes('?') ? 'query' : 'path', message);
}
