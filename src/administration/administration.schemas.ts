import { namedSchema } from '../openapi/component.js';
import { atLeast, exactly, flag, listOf, text, textOrNull } from '../openapi/schemas.js';

export const PARAMETER_CHANGE = namedSchema(
  'ParameterChange',
  exactly({ value: { type: ['string', 'integer', 'boolean'] } }),
);

const VERDICT = namedSchema('Verdict', atLeast({ allowed: flag, rule: textOrNull }));

export const ADDRESS_CHECK = namedSchema(
  'AddressCheck',
  atLeast({
    address: textOrNull,
    peer: text,
    forwarded: listOf(text),
    callers: VERDICT,
    sysadmin: VERDICT,
  }),
);
