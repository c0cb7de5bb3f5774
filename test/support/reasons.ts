import { expect } from '@jest/globals';
import { REASONS } from '../../src/base/errors/reasons.js';
import { reasonIn } from '../../src/base/errors/reason.js';
import { loadMessages, translate } from '../../web/server-messages/translate.js';

await Promise.all([loadMessages('de'), loadMessages('fr')]);

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A reason in a body: an entry of `fields`, or an Error. */
const isReason = (value: unknown): value is Json =>
  isObject(value) &&
  'message' in value &&
  ((typeof value.code === 'string' && 'name' in value) || 'reason' in value);

/** The same without what follows from the message: `checkReasons` compares the two in every answer. */
function withoutCode(reason: Json): Json {
  const { parameters: _, references: __, ...rest } = reason;
  if ('reason' in rest) delete rest.reason;
  else delete rest.code;
  return rest;
}

/** Lets tests expect a reason by its message alone. */
expect.addEqualityTesters([
  function (this: { equals: (a: unknown, b: unknown, testers: never) => boolean }, a, b, testers) {
    for (const [full, brief] of [
      [a, b],
      [b, a],
    ])
      if (isReason(full) && isObject(brief) && 'message' in brief && !isReason(brief))
        return this.equals(withoutCode(full), brief, testers as never);
    return undefined;
  },
]);

/**
 * Codes about the form of a request: syntax, parameters, media types, JSON Patch. The pages send no such request, so only
 * programmers read these, and no page translates them (docs/decisions/0033).
 */
export const FOR_PROGRAMMERS: readonly string[] = [
  'not-an-object',
  'too-small',
  'bad-length',
  'bad-item-count',
  'not-an-array',
  'not-left-out',
  'read-only',
  'generated',
  'not-its-own',
  'unknown-attribute',
  'given-twice',
  'not-a-uri',
  'numeric-id',
  'two-objects',
  'not-a-name',
  'not-names',
  'reserved-reference',
  'bad-translations',
  'unknown-language',
  'bad-texts',
  'unknown-text',
  'bad-members',
  'bad-flags',
  'empty-name',
  'repeated-name',
  'inexact-number',
  'bad-range',
  'unknown-parameter',
  'no-parameters',
  'too-many-parameters',
  'bad-parameter-name',
  'bad-percent-encoding',
  'raw-address',
  'not-http',
  'unknown-method',
  'not-chunked',
  'other-host',
  'not-this-host',
  'two-credentials',
  'not-json',
  'missing-patch',
  'sent-in-pieces',
  'too-many-values',
  'body-too-deep',
  'array-too-long',
  'too-many-attributes',
  'bad-idempotency-key',
  'not-one-click',
  'unknown-search',
  'unknown-search-field',
  'bad-marker',
  'missing-marker',
  'repeated-kind',
  'bad-cursor',
  'cursor-of-another-caller',
  'cursor-of-other-kinds',
  'not-a-patch',
  'too-many-operations',
  'operation-not-an-object',
  'unknown-operation',
  'bad-path',
  'bad-from',
  'missing-value',
  'not-applicable',
  'unknown-from',
  'moved-into-itself',
  'whole-document-moved',
  'whole-document-removed',
  'unknown-path',
  'patch-too-large',
  'unknown-member',
  'read-only-member',
  'write-only-member',
  'not-a-document',
  'no-value-at-that-depth',
  'below-a-link',
  'test-failed',
  'set-by-server',
  'new-application',
  'foreign-application',
  'unknown-application',
  'user-and-group',
  'absences-overlap',
  'not-in-a-push',
  'repeated-item',
  'written-meanwhile',
  'line-too-long',
  'not-with-ndjson',
  'source-too-large',
  'unreadable-snapshot',
  'snapshot-brake',
  'deliveries-or-range',
  'not-confirming',
  'leased-by-another',
  'key-under-way',
  'key-of-another-body',
  'other-origin',
  'method-not-allowed',
  'not-acceptable',
  'none-acceptable',
  'cursor-not-continuable',
  'excluded-state',
  'not-an-etag',
  'unconditional-method',
  'head-too-large',
  'unsupported-media-type',
  'unsupported-coding',
  'too-many-feed-calls',
  'too-many-fetches',
];

/** What is wrong with the reasons of the body of an error; undefined when nothing is. */
export function faultOfReasons(text: string): string | undefined {
  if (!text.startsWith('{"code":')) return undefined;
  const body = JSON.parse(text) as Json & { fields?: Json[] };
  if ('errors' in body) return undefined;
  const reasons = body.fields ?? [{ ...body, code: body.reason }];
  for (const { message, code, parameters, references } of reasons) {
    if (typeof code !== 'string' || !(code in REASONS)) return `no code: '${String(message)}'`;
    if (references !== undefined) continue;
    const said = reasonIn(code as keyof typeof REASONS, parameters as Json).message;
    if (said !== message) return `${code} says '${said}', not '${String(message)}'`;
    const isSaid = translate({ message, code, parameters: parameters as Json }, 'de') !== undefined;
    if (!isSaid && !FOR_PROGRAMMERS.includes(code)) return `the pages do not translate ${code}`;
  }
  return undefined;
}
