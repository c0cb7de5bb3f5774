import { namedSchema } from '../resources/openapi/component.js';
import { atLeast, count, flag, REF, text, texts } from '../resources/openapi/schemas.js';

/** The end of a token, without fractions of a second. */
const expiration = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
  examples: ['2026-11-02T17:00:00Z'],
};

export const TOKEN = namedSchema(
  'Token',
  atLeast({
    token: text,
    expiration,
  }),
);

/** RFC 8693 section 2.2.1, with the end of the token as everywhere else. */
export const EXCHANGED_TOKEN = namedSchema(
  'ExchangedToken',
  atLeast({
    ...texts('access_token', 'issued_token_type', 'token_type'),
    expires_in: count,
    expiration,
  }),
);

/** What `PublicKeyCredential.parseRequestOptionsFromJSON` takes. */
export const PASSKEY_REQUEST_OPTIONS = namedSchema('PasskeyRequestOptions', {
  ...atLeast({ challenge: text, rpId: text, timeout: count, userVerification: text }),
  examples: [
    {
      challenge: 'AAABmkQx2PDZ1cXpKb0lYk3H',
      rpId: 'portal.example.com',
      timeout: 300_000,
      userVerification: 'required',
    },
  ],
});

export const CALLER_SESSION = namedSchema(
  'CallerSession',
  atLeast({ id: text, user: REF, expiration, administrator: flag }),
);

/** OpenID Connect Back-Channel Logout 1.0 section 2.5; providers may add other fields. */
export const BACKCHANNEL_LOGOUT = namedSchema(
  'BackchannelLogout',
  atLeast({ logout_token: { ...text, examples: ['eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln'] } }),
);

/** RFC 6749 section 5.2. */
export const OAUTH_ERROR = namedSchema('OAuthError', atLeast(texts('error', 'error_description')));
