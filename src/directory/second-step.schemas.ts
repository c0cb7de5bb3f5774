import { namedSchema } from '../resources/openapi/component.js';
import {
  atLeast,
  count,
  flag,
  listOf,
  orNull,
  REF,
  text,
  timestamp,
} from '../resources/openapi/schemas.js';

const codes = listOf(text);

export const CODE_SECRET = namedSchema('CodeSecret', atLeast({ secret: text, uri: text }));

/** What `PublicKeyCredential.parseCreationOptionsFromJSON` takes. */
export const PASSKEY_CREATION_OPTIONS = namedSchema('PasskeyCreationOptions', {
  ...atLeast({
    challenge: text,
    rp: atLeast({ id: text, name: text }),
    user: atLeast({ id: text, name: text, displayName: text }),
    pubKeyCredParams: listOf(atLeast({ type: text, alg: { type: 'integer' } })),
    excludeCredentials: listOf(atLeast({ type: text, id: text })),
    authenticatorSelection: atLeast({
      residentKey: text,
      requireResidentKey: flag,
      userVerification: text,
    }),
    extensions: atLeast({ credProps: flag }),
    hints: listOf(text),
    timeout: count,
    attestation: text,
  }),
  examples: [
    {
      challenge: 'AAABmkQx2PDZ1cXpKb0lYk3H',
      rp: { id: 'portal.example.com', name: 'Portal' },
      user: { id: 'hT4pV0b1rTn0sYk3Hq', name: 'bruno.keller', displayName: 'Bruno Keller' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      extensions: { credProps: true },
      hints: [],
      timeout: 300_000,
      attestation: 'none',
    },
  ],
});

export const CONFIRMED_SECOND_STEP = namedSchema(
  'ConfirmedSecondStep',
  atLeast({ recoveryCodes: orNull(codes) }),
);

export const RECOVERY_CODES = namedSchema('RecoveryCodes', atLeast({ recoveryCodes: codes }));

export const SECOND_STEP_RESET = namedSchema(
  'SecondStepReset',
  atLeast({ requester: REF, creationDate: timestamp, expiration: timestamp }),
);
