import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from './test-server.js';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

/** Throws where an answer is not what the API description says of its route and status. */
export type AnswerCheck = (method: string, path: string, answer: Answer) => void;

/** Every answer of every test is held against the description, so that it cannot go stale. */
export function makeAnswerCheck(description: Description): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: description.components });
  const validators = new Map<object, ValidateFunction>();
  const routes = Object.entries(description.paths)
    // A path without parameters wins over one with them, as in the router.
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([path, operations]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
      operations,
    }));
  const validatorOf = (schema: object): ValidateFunction => {
    let validator = validators.get(schema);
    if (!validator) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
      validator = ajv.compile(JSON.parse(text) as object);
      validators.set(schema, validator);
    }
    return validator;
  };
  return (method, path, answer) => {
    const { pathname } = new URL(path, 'http://x');
    const route = routes.find(({ pattern }) => pattern.test(pathname));
    const operation = route?.operations[method.toLowerCase()];
    if (!operation || answer.body === undefined) return;
    const response = operation.responses[answer.status] ?? operation.responses.default;
    const schema = response?.content?.['application/json']?.schema;
    const validate = schema && validatorOf(schema);
    if (validate?.(answer.body)) return;
    throw new Error(
      `${method} ${path} answered ${answer.status} against its description: ${ajv.errorsText(validate?.errors)}\n${answer.text.slice(0, 500)}`,
    );
  };
}
