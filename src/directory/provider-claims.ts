import type { JWTPayload } from 'jose';
import { validateText } from '../http/json-body.js';
import type { Values } from '../resources/write/pending-write.js';
import { pairsIn } from '../security/parameters/list-value.js';
import type { ParameterValues } from '../security/parameters/parameters.service.js';
import { localeOf } from './user.resource.js';

/**
 * The attributes of a user that the claims of an ID token give. A claim that is no text, or blank, gives none.
 * @param mapping the server parameter `claims`: an attribute and the name of a claim in each entry
 */
export function userValues(mapping: string, claims: JWTPayload): Values {
  const values: Values = {};
  for (const [attribute, claim] of pairsIn(mapping)) {
    const given = claims[claim];
    if (typeof given !== 'string' || given.trim() === '' || validateText(given)) continue;
    const value = given.trim();
    if (attribute === 'organization') values.organization = { reference: value };
    else if (attribute === 'locale') {
      const locale = localeOf(value);
      if (locale !== undefined) values.locale = locale;
    } else if (attribute !== 'email' || claims.email_verified !== false) values[attribute] = value;
  }
  return values;
}

/** Whether the provider has verified the e-mail address. Most say nothing about it, and the person may have typed it. */
export const isEmailProven = (claims: JWTPayload): boolean => claims.email_verified === true;

/** References of groups: all that the mapping names, and those of them that a token gives. */
interface ClaimedGroups {
  mapped: string[];
  /** Undefined where the provider says that there are more than a token holds. */
  held: string[] | undefined;
}

/** The groups of an ID token by the server parameters `groupClaim` and `groupMapping`; none while there is no claim. */
export function groupClaim(parameters: ParameterValues, claims: JWTPayload): ClaimedGroups {
  const claim = parameters.text('groupClaim');
  if (claim === '') return { mapped: [], held: [] };
  const pairs = pairsIn(parameters.text('groupMapping'));
  const mapped = [...new Set(pairs.map(([, reference]) => reference))];
  if (claims[claim] === undefined && isDistributed(claims, claim))
    return { mapped, held: undefined };
  const given: unknown[] = [claims[claim]].flat();
  const held = pairs.filter(([value]) => given.includes(value)).map(([, reference]) => reference);
  return { mapped, held: [...new Set(held)] };
}

/** Whether the token names another place for the claim (OpenID Connect Core 1.0 section 5.6.2), as Entra ID does above 200 groups. */
function isDistributed({ _claim_names: names }: JWTPayload, claim: string): boolean {
  return typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
}
