import {
  getMetadataStorage,
  ValidateBy,
  type ValidationError,
  ValidationTypes,
  validateSync,
  type ValidatorOptions,
} from 'class-validator';
import type { InvalidField } from '../errors/api-errors.js';
import { type Reason, reason } from '../errors/reason.js';

/** Returns the faults of a value: none, a reason, or one for each bad item. */
export type Fault = (value: unknown) => Reason | Reason[] | undefined;

/** Most reasons about one field. */
const MAX_REASONS = 3;

/** Validates an instance with the decorators of its class. */
export function faultsOf(instance: object, options: ValidatorOptions = {}): InvalidField[] {
  return fieldsOf(validateSync(instance, { forbidUnknownValues: false, ...options }));
}

/** The errors of class-validator as fields of a ValidationError. */
export const fieldsOf = (
  errors: Pick<ValidationError, 'property' | 'contexts' | 'value'>[],
): InvalidField[] =>
  errors.flatMap(({ property, contexts = {}, value }) =>
    Object.values(contexts as Record<string, Rule>)
      .flatMap(({ fault }) => fault(value) ?? [])
      .slice(0, MAX_REASONS)
      .map((why) => ({ name: property, reason: why })),
  );

/** What class-validator keeps of a decorator that `satisfies` made, as its context. */
interface Rule {
  fault: Fault;
  schema: object;
}

/**
 * A class-validator decorator, at most one a property, from a function that returns the fault of a value.
 * @param schema the JSON Schema of the values without a fault, for the API description; attributes describe themselves
 */
export function satisfies(fault: Fault, schema: object = {}): PropertyDecorator {
  const context: Rule = { fault, schema };
  const validator = {
    validate: (value: unknown) => fault(value) === undefined,
    // class-validator passes on the context of a rule that has a message.
    defaultMessage: () => 'is refused',
  };
  const decorate = ValidateBy({ name: 'satisfies', validator }, { context });
  faultsOfDecorators.set(decorate, fault);
  return decorate;
}

/** An attribute of a class with decorators. */
interface BodyAttribute {
  name: string;
  schema: object;
  /** It may be omitted (`IsOptional`). */
  isOptional: boolean;
}

/** The attributes of a class, its own before those that it inherits. */
export function attributesOf(type: new () => unknown): BodyAttribute[] {
  const all = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const isOptional = (name: string) =>
    all.some(
      (one) => one.propertyName === name && one.type === ValidationTypes.CONDITIONAL_VALIDATION,
    );
  return all.flatMap(({ propertyName: name, context }) =>
    context ? [{ name, schema: (context as Rule).schema, isOptional: isOptional(name) }] : [],
  );
}

/** The function behind a decorator that `satisfies` made; undefined for any other one. */
export const faultOfRule = (rule: PropertyDecorator): Fault | undefined =>
  faultsOfDecorators.get(rule);

const faultsOfDecorators = new WeakMap<PropertyDecorator, Fault>();

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

/** Whether a text has blanks or invisible characters, so that two such texts can look the same. */
export const hasInvisible = (text: string): boolean => ANY_UNSEEN.test(text);

/** Whether a text has no visible characters. */
export const isBlank = (text: string): boolean => ALL_UNSEEN.test(text);
