import { MAX_PAGE_SIZE } from '../list/range.js';
import { Component, type Json, type Schema } from './component.js';
import { listOf, text } from './schemas.js';

/** A query parameter of a single operation. */
export const queryParameter = (
  name: string,
  description: string,
  {
    required = false,
    schema = text,
    example,
  }: { required?: boolean; schema?: Schema; example?: string } = {},
): Json => ({
  name,
  in: 'query',
  required,
  description,
  schema,
  ...(example !== undefined && { example }),
});

const component = (key: string, content: Json): Component =>
  new Component('parameters', key, content);

const listParameter = (name: string, description: string, schema = text): Component =>
  component(name[0]!.toUpperCase() + name.slice(1), queryParameter(name, description, { schema }));

const headerParameter = (name: string, description: string): Component =>
  component(name.replaceAll('-', ''), {
    name,
    in: 'header',
    description,
    schema: text,
  });

export const RANGE: Component = listParameter(
  'range',
  `<start>-<count>; start from 0, count from 1 to ${MAX_PAGE_SIZE}`,
  { ...text, pattern: '^\\d{1,10}-\\d{1,4}$' },
);

/** The parameters of every list (docs/api-contract.md#lists). */
export const LIST_PARAMETERS: Component[] = [
  RANGE,
  listParameter(
    'sorter',
    'attributes separated by commas; - before an attribute sorts in descending order',
  ),
  listParameter(
    'filters',
    '<attribute>:<operator>:<value>; repeat the parameter for several filters. The operator in takes values separated by commas',
    listOf(text),
  ),
  listParameter('filterMode', 'whether all filters must match, or at least one', {
    enum: ['and', 'or'],
    default: 'and',
  }),
  listParameter(
    'responseMode',
    'machine: codes, Refs and UTC timestamps, as the schema of the answer says; user: labels and dates in the language of the caller, as the schema of the same name with Displayed at its end says, such as UserDisplayed',
    { enum: ['machine', 'user'], default: 'machine' },
  ),
  headerParameter('Prefer', 'count=exact adds X-Total-Count, and last to Link (RFC 7240)'),
];

export const PREFER_RENEWAL: Component = component('PreferRenewal', {
  name: 'Prefer',
  in: 'header',
  description:
    'renewal, beside the Origin of this server: also sets the cookie of a browser session (RFC 7240)',
  schema: text,
});

export const IF_MATCH: Component = headerParameter(
  'If-Match',
  'the ETag of the state that the change is based on; 412 when the object has changed since',
);

export const IF_NONE_MATCH: Component = headerParameter(
  'If-None-Match',
  'ETags, or * for any: when one of them is current, the answer to GET is a 304, that to a write a 412',
);

/**
 * The parameters in a path template, all of them texts.
 * @param named those that take names besides ids
 */
export const pathParameters = (path: string, named: readonly string[]): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...(named.includes(name!) && {
      description: 'the id, or the login of a user or the reference of anything else',
    }),
    schema: text,
  }));

export const IDEMPOTENCY_KEY: Component = headerParameter(
  'Idempotency-Key',
  'a text that the client makes up for this call: repeated within 24 hours with the same body, it gets the same answer and creates nothing',
);
