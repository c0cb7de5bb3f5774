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
import { type BodyRules, JSON_TYPE } from './route-facts.js';
import { sendError } from './send-error.js';
import { strictUtf8 } from './strict-utf8.js';

/** Bodies of all requests that arrive or are worked on, in this process. */
const MAX_BODY_BYTES = 32 * 2 ** 20;
const memory = new ByteBudget(MAX_BODY_BYTES);

/** Made once: an error notes where it was made, and this one is for when there is much to do. */
const NO_ROOM = unavailable();

/** Deepest nesting of a body; deeper ones overflow the stack of the validation. */
const MAX_DEPTH = 32;
const MAX_KEYS = 200;
const MAX_ITEMS = 1000;

/**
 * Reads JSON bodies, in UTF-8 only, and photos of callers who are signed in: what a guest can make
 * the process hold is a JSON body. A fault is not answered here: it is kept and thrown by the last
 * guard, after address, token and role were checked. Where there is no memory for a body, the
 * answer is 503 and the connection ends.
 * @param isSignedIn whether the caller of a request has a valid token
 */
export function readBody(isSignedIn: (request: Request) => Promise<boolean>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (isIgnored(request) || !hasBody(request)) return next();
    const { body: rules } = stateOf(request).facts;
    const fault = validateMediaType(request, rules);
    if (fault) return readEmpty(request, response, fault, next);
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

/** Reads a body while it has a part of the memory, which is given back with the answer. */
function readWithin(request: Request, response: Response, next: NextFunction): void {
  // The client is gone: nothing would give the memory back.
  if (response.destroyed) return;
  const state = stateOf(request);
  const { limit } = state.facts.body;
  const holding = takeMemory(request, response, limit);
  if (!holding) return refuse(response);
  parserFor(state.facts.body)(request, response, (error?: unknown) => {
    if (response.headersSent) return;
    holding.keep();
    state.bodyError = error === undefined ? validateContent(request) : faultOf(error, limit);
    if (state.bodyText === '') state.hasEmptyBody = true;
    state.bodyText = undefined;
    next();
  });
}

/** A body counts from the start with its announced size; one in chunks, or packed, with the largest. */
function takeMemory(request: Request, response: Response, limit: number): Holding | undefined {
  const largest = limit * 1024;
  const { 'content-length': length, 'content-encoding': coding } = request.headers;
  const announced = length === undefined || coding !== undefined ? largest : Number(length);
  const holding = memory.take(Math.min(announced, largest), () => refuse(response));
  if (holding) response.once('close', () => holding.release());
  return holding;
}

/** What still arrives is not awaited: the answer is the last on its connection. */
function refuse(response: Response): void {
  response.setHeader('Connection', 'close');
  sendError(response, NO_ROOM);
}

/** Bodies of these have no meaning (RFC 9110 section 9.3.1); some clients send one all the same. */
const isIgnored = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Whether a request carries a body (RFC 9112 section 6.3); one without a byte is none. */
export function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  const isAnnounced = isChunked(request) || (length !== undefined && length !== '0');
  return isAnnounced && !stateOf(request).hasEmptyBody;
}

const isChunked = ({ headers }: Request): boolean => headers['transfer-encoding'] !== undefined;

/** A type that is refused does not matter where no byte comes, which chunks tell at their end. */
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
  { mediaTypes, isBinary }: BodyRules,
): ApiError | undefined {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const isAccepted = mediaTypes.includes(type);
  if (isBinary) return isAccepted ? undefined : unsupportedMediaType(mediaTypes.join(', '));
  if (isAccepted && isUtf8) {
    // The parser knows no other spelling.
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
    parser = rules.isBinary
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
  return invalidField('body', 'not valid JSON in UTF-8');
}

/** What is wrong with a body that could be parsed. */
function validateContent(request: Request): ApiError | undefined {
  if (Buffer.isBuffer(request.body)) return undefined;
  const fault = validateShape(request.body);
  if (fault) return fault;
  const repeated = findDuplicateKey(stateOf(request).bodyText ?? '');
  return repeated === undefined ? undefined : invalidField(repeated, 'given more than once');
}

/** Walks the parsed body without recursion; what it refuses never reaches a validator. */
function validateShape(body: unknown): ApiError | undefined {
  const pending: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }];
  while (pending.length > 0) {
    const { value, depth } = pending.pop()!;
    const message = messageOf(value, depth);
    if (message !== undefined) return invalidField('body', message);
    if (typeof value !== 'object' || value === null) continue;
    for (const item of Object.values(value)) pending.push({ value: item, depth: depth + 1 });
  }
  return undefined;
}

function messageOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return validateText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH}`;
  if (Array.isArray(value))
    return value.length > MAX_ITEMS ? `an array has more than ${MAX_ITEMS} items` : undefined;
  const keys = Object.keys(value);
  if (keys.length > MAX_KEYS) return `an object has more than ${MAX_KEYS} attributes`;
  return keys.map(validateText).find((fault) => fault !== undefined);
}

/** NUL and lone surrogates cannot be stored as they are, and nothing is altered silently. */
export function validateText(text: string): string | undefined {
  if (text.includes('\0')) return 'the character NUL is not allowed';
  return text.isWellFormed() ? undefined : 'a lone surrogate is not allowed';
}
