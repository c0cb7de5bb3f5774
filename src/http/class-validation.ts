import {
  ValidateBy,
  type ValidationError,
  validateSync,
  type ValidatorOptions,
} from 'class-validator';
import type { InvalidField } from '../errors/api-errors.js';

/** Returns what is wrong with a value. */
export type Fault = (value: unknown) => string | undefined;

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

/**
 * A class-validator decorator from a function that returns the fault of a value. The message begins with the
 * name of the field, directly before the index of an item: `categories[1] must be …`.
 */
export function satisfies(fault: Fault): PropertyDecorator {
  const decorate = ValidateBy({
    name: `satisfies${++satisfied}`,
    validator: {
      validate: (value: unknown) => fault(value) === undefined,
      defaultMessage: (validation) => {
        const message = fault(validation?.value) ?? 'is not valid';
        return message.startsWith('[') ? `$property${message}` : `$property ${message}`;
      },
    },
  });
  faultsOfRules.set(decorate, fault);
  return decorate;
}

/** The function behind a decorator that `satisfies` made; undefined for any other one. */
export const faultOfRule = (rule: PropertyDecorator): Fault | undefined => faultsOfRules.get(rule);

const faultsOfRules = new WeakMap<PropertyDecorator, Fault>();

/** The faults of an array's items, each with its index; undefined when there are none. */
export function faultsOfItems(
  items: unknown[],
  fault: (item: unknown) => string | undefined,
): string | undefined {
  const faults = items.flatMap((item, index) => {
    const message = fault(item);
    return message === undefined ? [] : [`[${index}] ${message}`];
  });
  return faults.length > 0 ? faults.slice(0, MAX_MESSAGES).join('; ') : undefined;
}

/** The fault of a value that must be a text of at most `most` characters (Unicode code points). */
export function faultOfText(value: unknown, most: number): string | undefined {
  const fits = typeof value === 'string' && (value.length <= most || [...value].length <= most);
  return fits ? undefined : `must be a string of at most ${most} characters`;
}

/** Blanks, control, format, unassigned and private-use characters, and those that fonts show as nothing. */
const UNSEEN = String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;
const ANY_UNSEEN = new RegExp(UNSEEN, 'u');
const ALL_UNSEEN = new RegExp(`^${UNSEEN}*$`, 'u');

/** Whether a text has blanks, or characters that nothing shows: two such texts can look the same. */
export const hasInvisible = (text: string): boolean => ANY_UNSEEN.test(text);

/** Whether a text has nothing to read. */
export const isBlank = (text: string): boolean => ALL_UNSEEN.test(text);

/** Numbers the rules: two of one name on a field would overwrite each other's message. */
let satisfied = 0;
