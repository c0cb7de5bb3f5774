import {
  ValidateBy,
  type ValidationError,
  validateSync,
  type ValidatorOptions,
} from 'class-validator';
import type { InvalidField } from '../errors/api-errors.js';

/** Most messages about one field. */
const MAX_MESSAGES = 3;

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
