import {
  getMetadataStorage,
  ValidateBy,
  type ValidationError,
  validateSync,
  type ValidatorOptions,
} from 'class-validator';
import { invalid, type InvalidField } from '../errors/api-errors.js';

/** Most messages about one field. */
const MAX_MESSAGES = 3;

/**
 * Checks a body against a class with the decorators of class-validator. Null is blank
 * (docs/api-contract.md#request-bodies), so it counts as missing. Unknown attributes are found by comparing
 * own keys, because the library's own check lets `constructor` and the like through.
 * @throws ApiError 400 with one entry per invalid field
 */
export function validateBody<T extends object>(type: new () => T, body: unknown): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid([{ name: 'body', message: 'must be a JSON object' }]);
  const known = knownAttributes(type);
  const bad: InvalidField[] = Object.keys(body)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, message: `unknown attribute; known: ${[...known].join(', ')}` }));
  const instance = new type();
  for (const name of known)
    if (Object.hasOwn(body, name)) Object.assign(instance, { [name]: (body as never)[name] });
  bad.push(...faultsOf(instance));
  if (bad.length > 0) throw invalid(bad);
  return instance;
}

/** Validates an instance with the decorators of its class: one entry per invalid field. */
export function faultsOf(instance: object, options: ValidatorOptions = {}): InvalidField[] {
  return fieldsOf(validateSync(instance, { forbidUnknownValues: false, ...options }));
}

/** The errors of class-validator as fields of a ValidationError. */
export const fieldsOf = (
  errors: Pick<ValidationError, 'property' | 'constraints'>[],
): InvalidField[] =>
  errors.map(({ property, constraints = {} }) => ({
    name: property,
    message: Object.values(constraints).slice(0, MAX_MESSAGES).join('; '),
  }));

function knownAttributes(type: new () => object): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}

/** A class-validator decorator from a function that returns the fault of a value. */
export function satisfies(fault: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name: `satisfies${++satisfied}`,
    validator: {
      validate: (value: unknown) => fault(value) === undefined,
      defaultMessage: (validation) => `$property ${fault(validation?.value) ?? 'is not valid'}`,
    },
  });
}

/**
 * The same for a function that reads strings. The library runs every rule of a field, even after one has
 * failed: this one accepts any other value, which `IsString` beside it rejects.
 */
export const satisfiesAsText = (fault: (text: string) => string | undefined): PropertyDecorator =>
  satisfies((value) => (typeof value === 'string' ? fault(value) : undefined));

/** Numbers the rules: two of one name on a field would overwrite each other's message. */
let satisfied = 0;
