import { namedSchema } from '../resources/openapi/component.js';
import { atLeast, flag, listOf, text, textOrNull } from '../resources/openapi/schemas.js';

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
