import { type ApiProblem, post, send, signInByPasskey } from './api.js';

/** Whether the server has passkeys, which it writes into the page, and this browser knows their JSON. */
export const knowsPasskeys =
  document.querySelector<HTMLMetaElement>('meta[name=passkeys]')?.content === 'yes' &&
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** What the browser throws when the person declines, or has no passkey here. */
export const isDeclined = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotAllowedError';

/** What the browser throws for a device that has a passkey of this person. */
export const isKnownDevice = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError';

/** Whether the server rejected the passkey, rather than the call for another reason. */
export const isWrongPasskey = ({ fields }: ApiProblem): boolean =>
  fields.some(({ name }) => name === 'passkey');

/** Signs in with a passkey. @throws ApiProblem, or DOMException of the browser */
export const signInWithPasskey = async (): Promise<void> => signInByPasskey(await askForPasskey());

/** Proves the identity of the person, for a session that is too old for a call. @throws ApiProblem, or DOMException */
export async function confirmWithPasskey(): Promise<void> {
  const body = { passkey: await askForPasskey() };
  await send('/api/v2/authentication/confirmation', { method: 'POST', body });
}

/**
 * Makes a passkey and adds it to the second steps at this path.
 * @returns the answer of the server
 * @throws ApiProblem, or DOMException of the browser
 */
export async function addPasskey<T>(path: string, name: string): Promise<T> {
  const options = await post<PublicKeyCredentialCreationOptionsJSON>(`${path}/passkey`);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const passkey = await navigator.credentials.create({ publicKey });
  return post<T>(`${path}/passkey/confirmation`, { name, passkey });
}

async function askForPasskey(): Promise<Credential | null> {
  const options = await post<PublicKeyCredentialRequestOptionsJSON>(
    '/api/v2/authentication/passkey',
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}
