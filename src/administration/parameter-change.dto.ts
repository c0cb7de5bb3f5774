import { satisfies } from '../base/validation/class-validation.js';
import type { ParameterValue } from '../security/parameters/parameter-definitions.js';
import { reason } from '../base/errors/reason.js';

/** `PUT /administration/parameters/{key}` */
export class ParameterChangeDto {
  @satisfies(
    (value) => {
      if (value === null || value === undefined) return reason('required');
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
      return isPlain ? undefined : reason('not-a-scalar');
    },
    { type: ['string', 'integer', 'boolean'] },
  )
  value!: ParameterValue;
}
