/** The texts of the account components; each page has them in its own translations, for its own reader. */
export type AccountTextKey =
  | 'cancel'
  | 'photo'
  | `photo.${'lead' | 'choose' | 'remove' | 'large' | 'kind' | 'stored' | 'removed'}`
  | 'keys'
  | `keys.${'lead' | 'none' | 'created' | 'endless' | 'until' | 'used' | 'unused'}`
  | `keys.${'delete' | 'deleted'}`
  | 'sessions'
  | `sessions.${'lead' | 'this' | 'since' | 'until' | 'end' | 'end-one' | 'end-all' | 'ended'}`
  | `sessions.${'device' | 'other' | 'used' | 'agent'}`
  | 'end'
  | `end.${'lead' | 'sure' | 'what' | 'sessions' | 'keys' | 'invitation' | 'identities' | 'absences'}`
  | `end.${'password' | 'own' | 'done'}`
  | 'lasting'
  | `lasting.${'lead' | 'none' | 'ended' | 'entered' | 'close'}`
  | `lasting.${'absence' | 'source' | 'endpoint'}${'' | '.end'}`
  | 'rules'
  | `rule.${PasswordRule | 'history' | 'met' | 'unmet'}`;

/** The rules that a page checks itself, by their codes in a PasswordError (docs/api-contract.md#accounts). */
export type PasswordRule = 'length' | 'lowercase' | 'uppercase' | 'number' | 'special-char';

/** A text in the language of the page; `smart_count` selects the singular or the plural. */
export type AccountTexts = (
  key: AccountTextKey,
  values?: Record<string, string | number>,
) => string;
