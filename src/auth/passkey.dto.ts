import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { reason } from '../base/errors/reason.js';
import { satisfies } from '../base/validation/class-validation.js';
import { filled } from '../http/body-rules.js';
import { type Component, type Json, namedSchema } from '../resources/openapi/component.js';
import { atLeast } from '../resources/openapi/schemas.js';

/** Longest text that an authenticator makes, in characters: its statement about itself, with certificates. */
const MAX_TEXT = 16_384;

/** Longest name of a passkey in characters. */
const MAX_NAME = 100;

const text: Json = { type: 'string', maxLength: MAX_TEXT };

/** What `PublicKeyCredential.toJSON` makes (WebAuthn section 5.1); the server ignores further members. */
const credential = (name: string, members: string[], optional: string[] = []): Component =>
  namedSchema(name, {
    ...atLeast({
      id: text,
      rawId: text,
      type: { const: 'public-key' },
      response: atLeast(
        Object.fromEntries([...members, ...optional].map((member) => [member, text])),
        optional,
      ),
    }),
    examples: [
      {
        id: 'mYf1rNpT0pQ',
        rawId: 'mYf1rNpT0pQ',
        type: 'public-key',
        response: Object.fromEntries(members.map((member) => [member, 'eyJ0eXBlIjoid2ViYXV0aG4'])),
      },
    ],
  });

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT;

/** A rule of a value of `credential`, whose response has these texts. */
const credentialWith = (name: string, members: string[], optional: string[] = []) =>
  satisfies(
    (value) => {
      const { id, rawId, type, response } = { ...(value as Record<string, unknown> | undefined) };
      const texts = { ...(response as Record<string, unknown> | undefined) };
      const isComplete =
        [id, rawId, ...members.map((member) => texts[member])].every(isText) &&
        optional.every((member) => texts[member] === undefined || isText(texts[member])) &&
        type === 'public-key';
      return isComplete ? undefined : reason('not-a-passkey');
    },
    credential(name, members, optional),
  );

/** `POST /api/v2/authentication` and its confirmation, with a passkey alone. */
export class PasskeyDto {
  /** The answer of an authenticator to the options of `POST /api/v2/authentication/passkey`. */
  @credentialWith(
    'PasskeyAssertion',
    ['clientDataJSON', 'authenticatorData', 'signature'],
    ['userHandle'],
  )
  passkey!: AuthenticationResponseJSON;
}

/** `POST /directory/users/{id}/second-steps/passkey/confirmation` */
export class NewPasskeyDto {
  /** By which people tell their passkeys apart. */
  @filled(MAX_NAME)
  name!: string;

  /** The answer of an authenticator to the options of `POST …/passkey`. */
  @credentialWith('PasskeyRegistration', ['clientDataJSON', 'attestationObject'])
  passkey!: RegistrationResponseJSON;
}

/** Whether a body has a passkey instead of a password. */
export const presentsPasskey = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'passkey' in body && body.passkey !== null;
