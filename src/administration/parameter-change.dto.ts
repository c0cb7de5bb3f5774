import { satisfies } from '../http/class-validation.js';
import type { ParameterValue } from '../security/parameters/parameter-definitions.js';

/** `PUT /administration/parameters/{key}` */
export class ParameterChangeDto {
  @satisfies((value) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? undefined : 'must be given',
  )
  value!: ParameterValue;
}
