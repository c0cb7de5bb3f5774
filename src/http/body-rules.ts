import { type Reason, reason } from '../base/errors/reason.js';
import { faultOfText, faultsOfItems, satisfies } from '../base/validation/class-validation.js';

// The decorators of the classes of bodies (`*.dto.ts`). Each combines a check with the JSON Schema of the values that
// pass.

export const flag = (): PropertyDecorator =>
  satisfies((value) => (typeof value === 'boolean' ? undefined : reason('not-a-boolean')), {
    type: 'boolean',
  });

/** A whole number. */
export const whole = (least: number, most: number): PropertyDecorator =>
  satisfies(
    (value) =>
      Number.isInteger(value) && (value as number) >= least && (value as number) <= most
        ? undefined
        : reason('out-of-range', { least, most }),
    { type: 'integer', minimum: least, maximum: most },
  );

export const oneOf = (choices: readonly string[]): PropertyDecorator =>
  satisfies(
    (value) =>
      choices.some((choice) => choice === value) ? undefined : reason('not-one-of', { choices }),
    { enum: choices },
  );

/** A text of at most `max` characters. */
export const textOf = (max: number): PropertyDecorator =>
  satisfies((value) => faultOfText(value, max), { type: 'string', maxLength: max });

/**
 * A required text of at most `max` characters.
 * @param isBlank which texts count as blank; only the empty one by default
 */
export const filled = (
  max: number,
  isBlank = (text: string): boolean => text === '',
): PropertyDecorator =>
  satisfies(
    (value) => {
      if (value === undefined || value === null) return reason('required');
      if (typeof value === 'string' && isBlank(value)) return reason('blank');
      return faultOfText(value, max);
    },
    { type: 'string', minLength: 1, maxLength: max },
  );

/**
 * One to `max` items.
 * @param noun names the items, e.g. `ids of deliveries`
 * @param schema the JSON Schema of an item
 */
export const items = (
  max: number,
  noun: string,
  fault: (item: unknown) => Reason | undefined,
  schema: object,
): PropertyDecorator =>
  satisfies(
    (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= max
        ? faultsOfItems(value, fault)
        : reason('bad-item-count', { max, noun }),
    { type: 'array', items: schema, minItems: 1, maxItems: max },
  );
