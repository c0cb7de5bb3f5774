import { satisfies } from '../http/class-validation.js';
import type { ParameterValue } from '../security/parameters/parameter-definitions.js';

/** `PUT /administration/parameters/{key}` */
export class ParameterChangeDto {
  @satisfies((value) => {
    if (value === null || value === undefined) return 'is required';
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    return isPlain ? undefined : 'must be a text, a number or a boolean';
  })
  value!: ParameterValue;
}
