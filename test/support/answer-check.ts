import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** The API description, as the server hands it out. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

/** An answer as it left the server; the path without the base path and the query. */
export interface HeardAnswer {
  method: string;
  path: string;
  status: number;
  type: string | undefined;
  body: Buffer;
}

/** Says what is undocumented about an answer; undefined when nothing is. */
export type AnswerCheck = (answer: HeardAnswer) => string | undefined;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Statuses of refusals (docs/integrators.md, Errors). */
const REFUSALS = new Set([
  400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 415, 429, 431, 500, 503,
]);
const BODILESS = new Set([204, 304]);

/** What is for browsers: pages, their parts, and the way from the root to the first page. */
const PAGES = /^\/($|(workplace|console|assets)(\/|$))/;

/** The shapes of refusals, for paths that the description does not know. */
const REFUSAL: Operation['responses'][string] = {
  content: {
    'application/json': {
      schema: {
        anyOf: ['Error', 'ValidationError', 'PasswordError', 'SearchEnvelope'].map((name) => ({
          $ref: `#/components/schemas/${name}`,
        })),
      },
    },
  },
};

/** Holds answers against the contract: status, content type, and the body's documented shape. */
export function makeAnswerCheck(description: Description): AnswerCheck {
  const validatorOf = makeValidators(description);
  const routes = Object.entries(description.paths)
    // A path without parameters wins over one with them, as in the router.
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([path, operations]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
      operations,
    }));
  const responsesOf = (method: string, path: string): Operation['responses'] | undefined => {
    const route = routes.find(({ pattern }) => pattern.test(path));
    return route?.operations[method === 'HEAD' ? 'get' : method.toLowerCase()]?.responses;
  };
  return ({ method, path, status, type, body }) => {
    const responses = responsesOf(method, path);
    if (!REFUSALS.has(status)) {
      if (status === 304 || (method === 'OPTIONS' && status === 204)) return undefined;
      if (PAGES.test(path) && (status === 200 || status === 303)) return undefined;
      if (!responses?.[status]) return `the status ${status} is not documented`;
    }
    if (BODILESS.has(status))
      return type === undefined && body.length === 0 ? undefined : 'a body, or its type';
    const { content = {} } = responses?.[status] ?? responses?.default ?? REFUSAL;
    if (type !== JSON_TYPE)
      return isDocumented(type, Object.keys(content)) ? undefined : `the type ${String(type)}`;
    if (method === 'HEAD') return undefined;
    const schema = content['application/json']?.schema;
    if (!schema) return 'JSON is not documented';
    const validate = validatorOf(schema);
    return validate(JSON.parse(body.toString())) ? undefined : textOf(validate);
  };
}

/** Whether a type is one of the documented ones; a picture may be another kind of picture. */
const isDocumented = (type = '', documented: string[]): boolean =>
  documented.some((one) =>
    one.startsWith('image/')
      ? type.startsWith('image/')
      : one !== 'application/json' && type.startsWith(one),
  );

function makeValidators({ components }: Description): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'api', components });
  const validators = new Map<object, ValidateFunction>();
  return (schema) => {
    let validator = validators.get(schema);
    if (!validator) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
      validator = ajv.compile(JSON.parse(text) as object);
      validators.set(schema, validator);
    }
    return validator;
  };
}

const textOf = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .map(({ instancePath, message }) => `${instancePath} ${String(message)}`)
    .join(', ');
