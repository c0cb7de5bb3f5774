import { invalidField, type ApiError } from '../errors/api-errors.js';
import { reason } from '../errors/reason.js';

/** The readable parts of a request that the parser could not parse. */
export interface BrokenHead {
  method?: string;
  /** The request target as received, possibly truncated; undefined when none of it arrived. */
  target?: string;
  origin?: string;
}

/** A request line whose end may be missing or broken; a method is a token (RFC 9110 section 9.1). */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) (\S[^\r\n]*?)(?: HTTP\/\d\.\d)?(?:[\r\n]|$)/;

/** Reads a head that the parser gave up on, from its beginning to the last byte that arrived. */
export function brokenHeadOf(text: string): BrokenHead {
  const [, method, target] = REQUEST_LINE.exec(text) ?? [];
  return { method, target, origin: /^origin:[ \t]*(\S+)[ \t]*\r?$/im.exec(text)?.[1] };
}

/**
 * Finds the first invalid character of a request target (RFC 9112 section 3.2).
 * @param takesMarkers whether the path takes search markers: portals that forget to encode one send a raw ¤
 */
export function validateTarget(target: string, takesMarkers: boolean): ApiError | undefined {
  const at = target.search(/[^!-~]/);
  if (at < 0) return undefined;
  const message =
    target.charCodeAt(at) > 0x7f
      ? reason(takesMarkers ? 'raw-marker' : 'not-ascii')
      : reason('raw-blank');
  return invalidField(target.slice(0, at).includes('?') ? 'query string' : 'path', message);
}
