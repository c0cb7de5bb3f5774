import type { InvalidField } from '../../base/errors/api-errors.js';
import { isNumber } from '../names.js';
import type { Values } from './pending-write.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/**
 * The server assigns references of the form `TASK-7`, so a caller cannot reserve that of a later object.
 * @param prefix before the hyphen, e.g. `TASK`
 */
export function faultsOfReference(
  prefix: string,
  { reference }: Values,
  before: Values | undefined,
): InvalidField[] {
  if (typeof reference !== 'string' || reference === before?.reference) return [];
  const folded = reference.normalize('NFKD').replace(/\p{M}/gu, '');
  return new RegExp(`^${prefix}-\\d+$`, 'i').test(folded)
    ? [
        {
          name: 'reference',
          reason: reason('reserved-reference', { prefix }),
        },
      ]
    : [];
}

/** The fault of a reference of digits, which paths would read as an id. */
export const faultOfDigits = (reference: string): Reason | undefined =>
  isNumber(reference) ? reason('numeric-reference') : undefined;
