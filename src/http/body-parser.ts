import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { toApiError } from '../errors/to-api-error.js';
import {
  invalidField,
  type ApiError,
  tooLarge,
  unauthenticated,
  unavailable,
  unsupportedMediaType,
} from '../errors/api-errors.js';
import { ByteBudget, type Holding } from './byte-budget.js';
import { findDuplicateKey } from './duplicate-json-keys.js';
import { stateOf } from './request-state.js';
import { type BodyRules, JSON_LINES_TYPE, JSON_TYPE } from './route-facts.js';
import { sendError } from './send-error.js';
import { strictUtf8 } from './strict-utf8.js';

/** Most bytes that the bodies of all pending requests of this process may take. */
const MAX_BODY_BYTES = 32 * 2 ** 20;
const memory = new ByteBudget(MAX_BODY_BYTES);

/** Pre-allocated: capturing a stack trace costs time that an overloaded process does not have. */
const OUT_OF_MEMORY = unavailable();

/** Deepest nesting of a body; deeper bodies overflow the validators' stack. */
const MAX_DEPTH = 32;
const MAX_KEYS = 200;
const MAX_ITEMS = 1000;

/**
 * Reads JSON bodies, in UTF-8 only, small forms, and photos of signed-in callers: a guest can make the process hold a
 * JSON body and no more. This middleware stores an error of the body in the request's state, and the last
 * guard throws it after the checks of address, token and role. When the memory for bodies is used up, the
 * answer is 503 and the connection closes.
 * @param isSignedIn whether the caller of a request has a valid token
 */
export function readBody(isSignedIn: (request: Request) => Promise<boolean>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { body: rules } = stateOf(request).facts;
    // A stream may be empty.
    if (isIgnored(request) || !(hasBody(request) || isStreamed(request, rules))) return next();
    const fault = validateMediaType(request, rules);
    if (fault) return readEmpty(request, response, fault, next);
    if (isStreamed(request, rules)) return leaveUnread(request, response, next);
    if (!rules.isBinary) return readWithin(request, response, next);
    isSignedIn(request).then(
      (known) => {
        if (known) return readWithin(request, response, next);
        stateOf(request).bodyError = unauthenticated();
        next();
      },
      (error: unknown) => sendError(response, toApiError(error)),
    );
  };
}

const isStreamed = ({ headers }: Request, { streamedType }: BodyRules): boolean =>
  streamedType !== undefined &&
  headers['content-type']?.toLowerCase().startsWith(streamedType) === true;

/** The controller reads the body. Where it does not, nobody does: the connection ends with the answer. */
function leaveUnread(request: Request, response: Response, next: NextFunction): void {
  const state = stateOf(request);
  response.setHeader('Connection', 'close');
  state.hasUnreadBody = true;
  const { streamedType } = state.facts.body;
  if (request.headers['content-encoding'] !== undefined)
    state.bodyError = unsupportedMediaType(
      streamedType === JSON_LINES_TYPE
        ? `${JSON_LINES_TYPE}, in UTF-8 and uncompressed`
        : `${streamedType}, uncompressed`,
    );
  next();
}

/** Reserves memory for a body and reads it; the end of the response frees the memory. */
function readWithin(request: Request, response: Response, next: NextFunction): void {
  // The client has disconnected: no `close` event would free the memory.
  if (response.destroyed) return;
  const state = stateOf(request);
  const { limit } = state.facts.body;
  const holding = reserveMemory(request, response, limit);
  if (!holding) return rejectForMemory(response);
  parserFor(state.facts.body)(request, response, (error?: unknown) => {
    if (response.headersSent) return;
    holding.keep();
    state.bodyError = error === undefined ? validateContent(request) : faultOf(error, limit);
    if (state.bodyText === '') state.hasEmptyBody = true;
    state.bodyText = undefined;
    next();
  });
}

/** Reserves the announced size of a body before reading it; for a chunked or compressed body, the largest allowed. */
function reserveMemory(request: Request, response: Response, limit: number): Holding | undefined {
  const largest = limit * 1024;
  const { 'content-length': length, 'content-encoding': coding } = request.headers;
  const announced = length === undefined || coding !== undefined ? largest : Number(length);
  const bytes = Math.min(announced, largest);
  const holding = memory.take(bytes, () => rejectForMemory(response));
  if (holding) response.once('close', () => holding.release());
  return holding;
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
function readEmpty(
  request: Request,
  response: Response,
  fault: ApiError,
  next: NextFunction,
): void {
  const finish = (isEmpty: boolean): void => {
    const state = stateOf(request);
    if (isEmpty) state.hasEmptyBody = true;
    else state.bodyError = fault;
    request.body = undefined;
    next();
  };
  if (!isChunked(request)) return finish(false);
  emptyParser(request, response, (error?: unknown) =>
    finish(error === undefined && (request.body as Buffer).length === 0),
  );
}

const emptyParser = express.raw({ limit: 0, type: () => true, inflate: false });

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
  if (isAccepted && isUtf8) {
    // The parser accepts only this spelling.
    request.headers['content-type'] = `${type}; charset=utf-8`;
    return undefined;
  }
  const expected = `${mediaTypes.join(' or ')}, in UTF-8`;
  return request.method === 'PATCH'
    ? unsupportedMediaType(expected, { 'Accept-Patch': mediaTypes.join(', ') })
    : unsupportedMediaType(expected);
}

const parsers = new Map<BodyRules, ReturnType<typeof express.json>>();

function parserFor(rules: BodyRules): ReturnType<typeof express.json> {
  let parser = parsers.get(rules);
  if (!parser) {
    const options = { limit: `${rules.limit}kb`, type: () => true };
    parser =
      rules.isBinary || rules.isForm
        ? express.raw({ ...options, inflate: false })
        : express.json({ ...options, strict: false, verify: verifyUtf8 });
    parsers.set(rules, parser);
  }
  return parser;
}

const utf8 = strictUtf8();

function verifyUtf8(request: IncomingMessage, _response: unknown, body: Buffer): void {
  stateOf(request).bodyText = utf8.decode(body);
}

function faultOf(error: unknown, limit: number): ApiError {
  const type = (error as { type?: unknown }).type;
  if (type === 'entity.too.large') return tooLarge(`${limit} KiB`);
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return unsupportedMediaType(`${JSON_TYPE}, in UTF-8`);
  // The parser's own message quotes the body, which may hold a password.
  return invalidField('body', 'is not valid JSON in UTF-8');
}

/** Checks a parsed body: depth, sizes, characters and duplicate keys. */
function validateContent(request: Request): ApiError | undefined {
  if (Buffer.isBuffer(request.body)) return undefined;
  return validateJson(request.body, stateOf(request).bodyText ?? '');
}

/**
 * What is wrong with parsed JSON, whatever it is for.
 * @param text from which it was parsed
 */
export function validateJson(value: unknown, text: string): ApiError | undefined {
  const fault = validateShape(value);
  if (fault) return fault;
  const repeated = findDuplicateKey(text, value);
  return repeated === undefined ? undefined : invalidField(repeated, 'is given more than once');
}

/** Visits every value of the parsed body without recursion, before any validator sees it. */
function validateShape(body: unknown): ApiError | undefined {
  const pending: { value: unknown; depth: number; name: string }[] = [
    { value: body, depth: 1, name: 'body' },
  ];
  while (pending.length > 0) {
    const { value, depth, name } = pending.pop()!;
    const message = messageOf(value, depth);
    if (message !== undefined)
      return invalidField(typeof value === 'string' ? name : 'body', message);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value))
      pending.push({ value: item, depth: depth + 1, name: ATTRIBUTE.test(key) ? key : name });
  }
  return undefined;
}

/** What an attribute can be called; other keys are not repeated in an answer. */
const ATTRIBUTE = /^[a-z]\w{0,49}$/i;

function messageOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return validateText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
  if (Array.isArray(value))
    return value.length > MAX_ITEMS ? `an array has more than ${MAX_ITEMS} items` : undefined;
  const keys = Object.keys(value);
  if (keys.length > MAX_KEYS) return `an object has more than ${MAX_KEYS} attributes`;
  return keys.map(validateText).find((fault) => fault !== undefined);
}

/** Rejects NUL and lone surrogates: PostgreSQL cannot store them, and the server alters no input silently. */
export function validateText(text: string): string | undefined {
  if (text.includes('\0')) return 'the character NUL is not allowed';
  return text.isWellFormed() ? undefined : 'a lone surrogate is not allowed';
}
