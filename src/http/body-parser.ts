import type { NextFunction, Request, Response } from 'express';
import { toApiError } from '../base/errors/to-api-error.js';
import {
  ApiError,
  forbidden,
  tooLarge,
  unauthenticated,
  unavailable,
  unsupportedCoding,
  unsupportedMediaType,
} from '../base/errors/api-errors.js';
import { ByteBudget } from './byte-budget.js';
import { type Coding, CODINGS, decodeBody, parseCoding } from './content-coding.js';
import { GrowingBuffer } from './growing-buffer.js';
import { notJson, parseJson } from './json-body.js';
import { type Caller, stateOf } from './request-state.js';
import { type BodyRules, USUAL_LIMIT } from './route-facts.js';
import { sendError } from './send-error.js';

/** Most bytes that the bodies of all pending requests of this process may take. */
const MAX_BODY_BYTES = 32 * 2 ** 20;
const memory = new ByteBudget(MAX_BODY_BYTES);

/** Pre-allocated: capturing a stack trace costs time that an overloaded process does not have. */
const OUT_OF_MEMORY = unavailable();

/** Checks of the sender before the server reads a body. */
export interface Senders {
  /** The caller, if the token is valid. */
  find(request: Request): Promise<Caller | undefined>;
  /** Whether the caller may push tasks of any source. */
  mayPush(caller: Caller): Promise<boolean>;
}

/**
 * Reads bodies: JSON, small forms, and photos. Without a valid token, a caller can make the process hold at most 100
 * KiB, which it neither unpacks nor parses before TokenGuard has accepted the caller. This middleware stores an error
 * of the body in the request's state, and the last guard throws it after the checks of address, token and permission. When
 * the memory for bodies is used up, the server answers 503 and closes the connection.
 */
export function readBody(senders: Senders) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { body: rules } = stateOf(request).facts;
    // A stream may be empty.
    if (isIgnored(request) || !(hasBody(request) || isStreamed(request, rules))) return next();
    const fault = validateMediaType(request, rules);
    if (fault) return readEmpty(request, fault, next);
    const coding = codingOf(request, rules);
    if (isStreamed(request, rules)) return leaveUnread(request, response, next);
    if (stateOf(request).bodyError) return next();
    if (coding === undefined && !isLarge(request, rules))
      return readWithin(request, response, undefined, next);
    faultOfSender(request, rules, senders).then(
      (unread) => {
        if (!unread) return readWithin(request, response, coding, next);
        stateOf(request).bodyError = unread;
        next();
      },
      (error: unknown) => sendError(response, toApiError(error)),
    );
  };
}

const isStreamed = ({ headers }: Request, { streamedType }: BodyRules): boolean =>
  streamedType !== undefined &&
  headers['content-type']?.toLowerCase().startsWith(streamedType) === true;

/** The coding of a body. One that is not accepted becomes the error of the body. */
function codingOf(request: Request, { isBinary, isForm }: BodyRules): Coding | undefined {
  const isJson = !isBinary && !isForm && !isStreamed(request, stateOf(request).facts.body);
  try {
    return parseCoding(request.headers['content-encoding'], isJson ? CODINGS : []);
  } catch (error) {
    stateOf(request).bodyError = error as ApiError;
    return undefined;
  }
}

/** Leaves the body to the controller. If that does not read it, the connection ends with the answer. */
function leaveUnread(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Connection', 'close');
  stateOf(request).hasUnreadBody = true;
  next();
}

/** Whether a body may exceed the usual limit. */
const isLarge = (request: Request, { limit }: BodyRules): boolean =>
  limit > USUAL_LIMIT && (announcedLength(request) ?? Infinity) > USUAL_LIMIT * 1024;

/** Why the server rejects a large or compressed body unread; undefined when it reads the body. */
async function faultOfSender(
  request: Request,
  { sender }: BodyRules,
  senders: Senders,
): Promise<ApiError | undefined> {
  const caller = await senders.find(request);
  if (!caller) return sender === undefined ? unsupportedCoding([]) : unauthenticated();
  const mayReadOn = sender !== 'source' || (await senders.mayPush(caller));
  return mayReadOn ? undefined : forbidden();
}

/** Reserves memory for a body and reads it; the end of the response frees the memory. */
function readWithin(
  request: Request,
  response: Response,
  coding: Coding | undefined,
  next: NextFunction,
): void {
  // The client has disconnected: no `close` event would free the memory.
  if (response.destroyed) return;
  const state = stateOf(request);
  const { limit, isBinary, isForm } = state.facts.body;
  const most = limit * 1024;
  const finish = (bytes: Buffer | undefined): void => {
    if (bytes === undefined) state.bodyError = tooLarge(`${limit} KiB`);
    else if (isBinary || isForm) request.body = bytes;
    else state.unparsedBody = bytes;
    next();
  };
  const announced = announcedLength(request);
  if (announced !== undefined && announced > most) return finish(undefined);
  // A chunked body counts as the largest that is allowed.
  const bytes = (announced ?? most) + (coding === undefined ? 0 : most);
  const holding = memory.take(bytes, () => rejectForMemory(response));
  if (!holding) return rejectForMemory(response);
  response.once('close', () => holding.release());
  readBytes(request, most, (read) => {
    if (response.headersSent) return;
    holding.keep();
    if (read === undefined || coding === undefined) return finish(read);
    decodeBody(read, coding, most).then(finish, () => {
      state.bodyError = notJson();
      next();
    });
  });
}

/**
 * Reads a body into one buffer.
 * @param most bytes to keep
 * @param done gets undefined when more bytes arrive; it is not called when the client disconnects
 */
function readBytes(request: Request, most: number, done: (bytes?: Buffer) => void): void {
  const body = new GrowingBuffer(most, announcedLength(request));
  const finish = (bytes?: Buffer): void => {
    request.off('data', add).off('end', end);
    done(bytes);
  };
  const add = (piece: Buffer): void => {
    if (body.add(piece)) return;
    finish();
    // The rest must be drained before the connection can serve the next request.
    request.resume();
  };
  const end = (): void => finish(body.take());
  request.on('data', add).on('end', end);
}

/** Undefined for a chunked body. */
function announcedLength({ headers }: Request): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Answers 503 and closes the connection, because the rest of the body is not read. */
function rejectForMemory(response: Response): void {
  response.setHeader('Connection', 'close');
  sendError(response, OUT_OF_MEMORY);
}

/** A body of GET or HEAD has no meaning (RFC 9110 section 9.3.1), but some clients send one. */
const isIgnored = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Whether a request carries a body (RFC 9112 section 6.3) of at least one byte. */
export function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  const isAnnounced = isChunked(request) || (length !== undefined && length !== '0');
  return isAnnounced && !stateOf(request).hasEmptyBody;
}

const isChunked = ({ headers }: Request): boolean => headers['transfer-encoding'] !== undefined;

/** Ignores an unsupported media type when the body is empty, which a chunked body shows only at its end. */
function readEmpty(request: Request, fault: ApiError, next: NextFunction): void {
  const finish = (isEmpty: boolean): void => {
    const state = stateOf(request);
    if (isEmpty) state.hasEmptyBody = true;
    else state.bodyError = fault;
    next();
  };
  if (!isChunked(request)) return finish(false);
  readBytes(request, 0, (bytes) => finish(bytes !== undefined));
}

function validateMediaType(
  request: Request,
  { mediaTypes, isBinary, isForm }: BodyRules,
): ApiError | undefined {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const isAccepted = mediaTypes.includes(type);
  if (isBinary || isForm)
    return isAccepted
      ? undefined
      : unsupportedMediaType(mediaTypes.join(', ').replace(/, (?=[^,]*$)/, ' or '));
  if (isAccepted && isUtf8) return undefined;
  const expected = `${mediaTypes.join(' or ')}, in UTF-8`;
  return request.method === 'PATCH'
    ? unsupportedMediaType(expected, { 'Accept-Patch': mediaTypes.join(', ') })
    : unsupportedMediaType(expected);
}

/**
 * Throws the error of the body, or parses it if it is JSON.
 * @throws ApiError 400, 401, 403, 413, 415
 */
export function parseBody(request: Request): void {
  const state = stateOf(request);
  if (state.bodyError) throw state.bodyError;
  const { unparsedBody } = state;
  if (unparsedBody === undefined) return;
  state.unparsedBody = undefined;
  try {
    const body = parseJson(unparsedBody);
    if (body === undefined) state.hasEmptyBody = true;
    request.body = body === undefined ? {} : body;
  } catch (error) {
    state.bodyError = state.facts.isScim ? toScimError(error as ApiError) : (error as ApiError);
    throw state.bodyError;
  }
}

/** A bulk of too many operations is a 413 in SCIM (RFC 7644 section 3.7.4), and so is any list that is too long. */
function toScimError(error: ApiError): ApiError {
  const why = error.details.fields?.[0]?.reason;
  return why?.code === 'array-too-long' ? new ApiError(413, why) : error;
}

/** The parsed body of an authenticated caller, for the guards before the last one; undefined when it has an error. */
export function bodyOf(request: Request): unknown {
  try {
    parseBody(request);
  } catch {
    return undefined;
  }
  return request.body;
}
