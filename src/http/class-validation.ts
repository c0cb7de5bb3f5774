import {
  ValidateBy,
  type ValidationError,
  validateSync,
  type ValidatorOptions,
} from 'class-validator';
import type { InvalidField } from '../errors/api-errors.js';
import { type Reason, reason } from '../errors/reason.js';

/** Returns what is wrong with a value: nothing, a reason, or one for each bad item. */
export type Fault = (value: unknown) => Reason | Reason[] | undefined;

/** Most reasons about one field. */
const MAX_REASONS = 3;

/** Validates an instance with the decorators of its class. */
export function faultsOf(instance: object, options: ValidatorOptions = {}): InvalidField[] {
  return fieldsOf(validateSync(instance, { forbidUnknownValues: false, ...options }));
}

/** The errors of class-validator as fields of a ValidationError. */
export const fieldsOf = (
  errors: Pick<ValidationError, 'property' | 'constraints' | 'value'>[],
): InvalidField[] =>
  errors.flatMap(({ property, constraints = {}, value }) =>
    Object.keys(constraints)
      .flatMap((rule) => faultsOfRules.get(rule)?.(value) ?? [])
      .slice(0, MAX_REASONS)
      .map((why) => ({ name: property, reason: why })),
  );

/** A class-validator decorator from a function that returns the fault of a value. */
export function satisfies(fault: Fault): PropertyDecorator {
  const name = `satisfies${++satisfied}`;
  const decorate = ValidateBy({
    name,
    validator: { validate: (value: unknown) => fault(value) === undefined },
  });
  faultsOfRules.set(name, fault);
  faultsOfDecorators.set(decorate, fault);
  return decorate;
}

/** The function behind a decorator that `satisfies` made; undefined for any other one. */
export const faultOfRule = (rule: PropertyDecorator): Fault | undefined =>
  faultsOfDecorators.get(rule);

const faultsOfDecorators = new WeakMap<PropertyDecorator, Fault>();

/** The functions by the names under which class-validator reports them: it passes on no more than a text. */
const faultsOfRules = new Map<string, Fault>();

/** The faults of an array's items, each with its index; undefined when there are none. */
export function faultsOfItems(
  items: unknown[],
  fault: (item: unknown) => Reason | undefined,
): Reason[] | undefined {
  const faults = items.flatMap((item, index) => fault(item)?.at({ index }) ?? []);
  return faults.length > 0 ? faults.slice(0, MAX_REASONS) : undefined;
}

/** The fault of a value that must be a text of at most `max` characters (Unicode code points). */
export function faultOfText(value: unknown, max: number): Reason | undefined {
  const fits = typeof value === 'string' && (value.length <= max || [...value].length <= max);
  return fits ? undefined : reason('too-long', { max });
}

/** Blanks, control, format, unassigned and private-use characters, and those that fonts show as nothing. */
const UNSEEN = String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;
const ANY_UNSEEN = new RegExp(UNSEEN, 'u');
const ALL_UNSEEN = new RegExp(`^${UNSEEN}*$`, 'u');

/** Whether a text has blanks, or characters that nothing shows: two such texts can look the same. */
export const hasInvisible = (text: string): boolean => ANY_UNSEEN.test(text);

/** Whether a text has nothing to read. */
export const isBlank = (text: string): boolean => ALL_UNSEEN.test(text);

/** Numbers the rules, whose names must differ. */
let satisfied = 0;
