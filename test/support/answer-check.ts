import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Response {
  content?: Record<string, { schema: object }>;
  headers?: Record<string, object>;
}

interface Operation {
  responses: Record<string, Response | { $ref: string }>;
}

/** The API description, as the server serves it. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
}

/** An answer as the server sent it; the path excludes the base path. */
export interface HeardAnswer {
  method: string;
  path: string;
  /** The query without its question mark. */
  query?: string | undefined;
  status: number;
  type: string | undefined;
  /** The names of its headers. */
  headers: string[];
  body: Buffer;
}

/** Reports what is undocumented about an answer; undefined when everything is documented. */
export type AnswerCheck = (answer: HeardAnswer) => string | undefined;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Statuses of errors, for paths and methods that the description does not know. */
const ERRORS = new Set([
  400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 429, 431, 500, 501, 503,
]);

/** Clients of Camunda 7 read JSON only if its type has no charset. */
const PLAIN_JSON = 'application/json';
const EXTERNAL_TASKS = /^\/engine-rest\//;

/** Headers that clients read: the description of an answer must document them. */
const DOCUMENTED_HEADERS = new Set([
  'accept-patch',
  'allow',
  'content-disposition',
  'etag',
  'link',
  'location',
  'preference-applied',
  'retry-after',
  'www-authenticate',
  'x-request-id',
  'x-total-count',
  'x-warning',
]);
const BODILESS = new Set([204, 304]);
const PAGE_STATUSES = new Set([200, 303, 304]);

/** Paths for browsers: pages, their assets, and the redirect from the root to the first page. */
const PAGES = /^\/($|(workplace|console|assets)(\/|$))/;

/** The shapes of errors, for paths and methods that the description does not know. */
const ERROR: Response = {
  headers: Object.fromEntries([...DOCUMENTED_HEADERS].map((name) => [name, {}])),
  content: {
    'application/scim+json': { schema: {} },
    'application/json': {
      schema: {
        anyOf: ['Error', 'ValidationError', 'PasswordError', 'SearchFailure'].map((name) => ({
          $ref: `#/components/schemas/${name}`,
        })),
      },
    },
  },
};

/** Checks answers against the contract: status, content type, headers, and the documented shape of the body. */
export function makeAnswerCheck(description: Description): AnswerCheck {
  const validatorOf = makeValidators(description);
  const routes = Object.entries(description.paths)
    // A path without parameters wins over one with them, as in the router.
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([path, operations]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
      operations,
    }));
  /** The documented answer of a status; undefined when the status is not documented. */
  const responseOf = ({ method, path, status }: HeardAnswer): Response | undefined => {
    const operations = routes.find(({ pattern }) => pattern.test(path))?.operations;
    const operation = operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    if (!operation) return ERRORS.has(status) ? ERROR : undefined;
    const response = operation.responses[status];
    return response && '$ref' in response
      ? description.components.responses[response.$ref.split('/').at(-1)!]
      : response;
  };
  return (answer) => {
    const { method, path, status, type, headers, body } = answer;
    if (method === 'OPTIONS' && status === 204) return undefined;
    if (PAGES.test(path) && PAGE_STATUSES.has(status)) return undefined;
    const response = responseOf(answer);
    if (!response) return `the status ${status} is not documented`;
    const undocumented = undocumentedHeaders(headers, response);
    if (undocumented.length > 0) return `the header ${undocumented.join(', ')} is not documented`;
    const { content = {} } = response;
    if (BODILESS.has(status) || Object.keys(content).length === 0)
      return type === undefined && body.length === 0 ? undefined : 'a body, or its type';
    const isJson = type === JSON_TYPE || (type === PLAIN_JSON && EXTERNAL_TASKS.test(path));
    if (!isJson)
      return isDocumented(type, Object.keys(content)) ? undefined : `the type ${String(type)}`;
    if (method === 'HEAD') return undefined;
    const schema = content['application/json']?.schema;
    if (!schema) return 'JSON is not documented';
    const validate = validatorOf(shownIn(answer.query, schema));
    return validate(JSON.parse(body.toString())) ? undefined : textOf(validate);
  };
}

function undocumentedHeaders(names: string[], { headers = {} }: Response): string[] {
  const documented = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return names
    .map((name) => name.toLowerCase())
    .filter((name) => DOCUMENTED_HEADERS.has(name) && !documented.has(name));
}

interface ListSchema {
  type?: string;
  items?: { $ref?: string };
}

/** The schema of an answer; a list for a person has items of the schema that the parameter responseMode names. */
function shownIn(query: string | undefined, schema: ListSchema): object {
  const isForPeople = new URLSearchParams(query).get('responseMode') === 'user';
  const item = schema.type === 'array' ? schema.items?.$ref : undefined;
  return isForPeople && item !== undefined
    ? { type: 'array', items: { $ref: `${item}Displayed` } }
    : schema;
}

/** Whether a media type is documented; a documented image type allows any image type. */
const isDocumented = (type = '', documented: string[]): boolean =>
  documented.some((one) =>
    one.startsWith('image/')
      ? type.startsWith('image/')
      : one !== 'application/json' && type.startsWith(one),
  );

/** An RFC 3339 date-time with seconds. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Schemas of answers without room for the attributes of later versions: the description has every attribute of this
 * one. Bodies of resources stay open: what is read-only may be sent back.
 */
const closed = (schemas: object): object =>
  JSON.parse(
    JSON.stringify(schemas, (name, value: Record<string, unknown> | null) =>
      !name.endsWith('Body') && value?.type === 'object' && value.properties
        ? { additionalProperties: false, ...value }
        : value,
    ),
  ) as object;

/** Compiles the schemas of a description. */
export function makeValidators({ components }: Description): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': DATE_TIME, 'uri-reference': true },
  });
  ajv.addSchema({ $id: 'api', components: closed(components) });
  const validators = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
    let validator = validators.get(text);
    if (!validator) {
      validator = ajv.compile(JSON.parse(text) as object);
      validators.set(text, validator);
    }
    return validator;
  };
}

/** The errors of a validation. */
export const textOf = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .map(({ instancePath, message }) => `${instancePath} ${String(message)}`)
    .join(', ');
