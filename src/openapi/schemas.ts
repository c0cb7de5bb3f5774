import { MAX_PAGE_SIZE } from '../resources/list/range.js';
import type { Resource, Size } from '../resources/resource.js';

export type Schema = Record<string, unknown>;

const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', minimum: 0 };
export const timestamp: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
};

/** An object that has exactly these attributes. */
export const exactly = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** A list of a resource, for machines or for people (docs/api-contract.md#responsemode). */
export const pageOf = (name: string): Schema =>
  listOf({ anyOf: [refTo(name), refTo(`${name}Labels`)] });

/** A parameter of the query. */
export const queryParameter = (name: string, description: string, required = false): Schema => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string' },
});

/** What every list takes (docs/api-contract.md#lists). */
export const LIST_PARAMETERS = [
  queryParameter('range', `<start>-<count>, count from 1 to ${MAX_PAGE_SIZE}`),
  queryParameter('sorter', 'attributes separated by commas, - for descending'),
  {
    ...queryParameter('filters', '<attribute>:<operator>:<value>'),
    schema: listOf({ type: 'string' }),
  },
  {
    ...queryParameter('filterMode', 'all filters or at least one'),
    schema: { enum: ['and', 'or'] },
  },
  { ...queryParameter('responseMode', 'values or labels'), schema: { enum: ['machine', 'user'] } },
];

const texts = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, text]));

const field = exactly({ name: text, message: text });

/** Categories and entries (docs/api-contract.md#navigation). */
const category = texts('id', 'title', 'comparisonValue');
const application = {
  ...texts('id', 'title', 'reference', 'tileColor'),
  type: { enum: ['PROCESS', 'LINK'] },
  ...texts('link', 'icon'),
  targetBlank: { type: 'boolean' },
  ...texts('helpLinkJS', 'keywords', 'updateCounterUrl', 'comparisonValue'),
};

/** What is not a resource (docs/api-contract.md#errors-and-statuses). */
export const COMMON_SCHEMAS: Record<string, Schema> = {
  Ref: exactly(texts('id', 'uri', 'reference', 'label')),
  Error: exactly({ code: { type: 'integer' }, message: text }),
  ValidationError: exactly({ code: { const: 400 }, message: text, fields: listOf(field) }),
  PasswordError: exactly({
    code: { const: 400 },
    message: text,
    errors: listOf({
      enum: ['length', 'lowercase', 'uppercase', 'number', 'special-char', 'history'],
    }),
  }),
  Token: exactly({
    token: text,
    expiration: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' },
  }),
  Credentials: exactly(texts('login', 'password')),
  Confirmation: exactly(texts('password')),
  CallerSession: exactly({
    user: refTo('Ref'),
    expiration: text,
    administrator: { type: 'boolean' },
  }),
  Service: exactly({
    ...texts('name', 'version', 'platformVersion'),
    interfaces: exactly(texts('main', 'navigation', 'search')),
  }),
  AttributeDescription: exactly({
    ...texts('name', 'type'),
    sortable: { type: 'boolean' },
    operators: listOf(text),
    writable: { type: 'boolean' },
    required: { type: 'boolean' },
    maxLength: { type: ['integer', 'null'] },
  }),
  PasswordRules: exactly({
    length: count,
    lowercase: { type: 'boolean' },
    uppercase: { type: 'boolean' },
    number: { type: 'boolean' },
    specialCharacter: { type: 'boolean' },
    history: count,
  }),
  PasswordChange: {
    type: 'object',
    properties: { currentPassword: { type: ['string', 'null'] }, password: text },
    required: ['password'],
    additionalProperties: false,
  },
  ApiKeyBody: {
    type: 'object',
    properties: {
      name: text,
      expiration: { type: ['string', 'null'] },
      addresses: { type: ['string', 'null'] },
    },
    required: ['name'],
    additionalProperties: false,
  },
  NewApiKey: exactly({
    ...texts('id', 'name', 'prefix'),
    expiration: { anyOf: [timestamp, { type: 'null' }] },
    addresses: { type: ['string', 'null'] },
    creationDate: timestamp,
    lastUseDate: { type: 'null' },
    lastUseAddress: { type: 'null' },
    key: text,
  }),
  ParameterChange: exactly({ value: { type: ['string', 'integer', 'boolean'] } }),
  AddressCheck: exactly({
    address: { type: ['string', 'null'] },
    peer: text,
    forwarded: listOf(text),
    callers: refTo('Verdict'),
    sysadmin: refTo('Verdict'),
  }),
  Verdict: exactly({ allowed: { type: 'boolean' }, rule: { type: ['string', 'null'] } }),
  Invitation: exactly({ code: text, expiration: timestamp }),
  InvitationUse: exactly(texts('code', 'password')),
  JsonPatch: listOf({
    type: 'object',
    properties: {
      op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
      path: text,
      from: text,
      value: {},
    },
    required: ['op', 'path'],
  }),
  Category: exactly(category),
  Application: exactly(application),
  WorkplaceCategory: exactly({ ...category, applications: listOf(refTo('WorkplaceApplication')) }),
  WorkplaceApplication: exactly({
    ...application,
    indicator: { anyOf: [refTo('Indicator'), { type: 'null' }] },
    favourite: { type: 'boolean' },
  }),
  Favourites: exactly({ applications: listOf(refTo('Ref')) }),
  FavouritesBody: {
    type: 'object',
    properties: {
      applications: { type: ['array', 'null'], items: { type: ['string', 'object'] } },
    },
    additionalProperties: false,
  },
  Preview: exactly({
    user: refTo('Ref'),
    workplace: listOf(refTo('WorkplaceCategory')),
    applications: listOf(
      exactly({
        application: refTo('Ref'),
        shown: { type: 'boolean' },
        reasons: listOf(
          exactly({
            code: {
              enum: [
                'everyone',
                'user',
                'group',
                'organization',
                'inactive',
                'audience',
                'no-active-category',
              ],
            },
            text,
            principal: { anyOf: [refTo('Ref'), { type: 'null' }] },
          }),
        ),
      }),
    ),
  }),
  Indicator: exactly({ type: { const: 'COUNTER' }, count }),
  SearchEnvelope: {
    oneOf: [
      exactly({ type: { const: 'error' }, message: text }),
      {
        type: 'object',
        properties: {
          type: { const: 'success' },
          data: listOf({ type: 'object' }),
          template: text,
          searchIndexBottom: text,
          searchIndexTop: text,
        },
        required: ['type', 'data', 'template'],
        additionalProperties: false,
      },
    ],
  },
  Health: exactly({ status: { const: 'up' } }),
};

/** `api-keys` to `ApiKeys`: how a resource is named in the description. */
export const schemaName = ({ name }: Resource): string =>
  name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

/**
 * One size of a representation; every attribute is always present
 * (docs/api-contract.md#representation).
 */
export function representationSchema(resource: Resource, size: Size): Schema {
  const shown = [...resource.attributes].filter(
    ([, { options }]) => size === 'detailed' || !options.detailedOnly,
  );
  return exactly(Object.fromEntries(shown.map(([name, attribute]) => [name, attribute.schema()])));
}

/** A list item with responseMode=user: labels instead of codes, links and timestamps. */
export function labelsSchema(resource: Resource): Schema {
  const shown = [...resource.attributes].filter(([, { options }]) => !options.detailedOnly);
  const label = { type: ['string', 'number', 'array', 'object', 'null'] };
  return exactly(Object.fromEntries(shown.map(([name]) => [name, label])));
}

/** A body of POST and PUT: null and omitted are blank. */
export function bodySchema({ writable }: Resource): Schema {
  const required = writable.filter(([, { options }]) => options.required);
  return {
    type: 'object',
    properties: Object.fromEntries(
      writable.map(([name, attribute]) => [name, attribute.inputSchema()]),
    ),
    required: required.map(([name]) => name),
  };
}
