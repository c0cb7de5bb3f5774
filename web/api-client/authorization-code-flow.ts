import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  validateAuthResponse,
} from 'oauth4webapi';

/**
 * The authorization code flow with PKCE (RFC 7636; OpenID Connect Core 1.0 section 3.1) of a public client
 * without a secret. Only people who sign in at the provider load this module and its library.
 */

/** This page as a client of the provider. */
export interface Client {
  issuer: string;
  clientId: string;
  /** Where the provider sends people after the sign-in. */
  returnAddress: string;
}

/** The state that the page keeps while the browser is at the provider. */
export interface Flow {
  verifier: string;
  state: string;
  nonce: string;
}

/** In seconds. */
const A_DAY = 86_400;

/** How long a call to the provider may take, in milliseconds. */
const PATIENCE = 5_000;

/** Further parameters of an authentication request (OpenID Connect Core 3.1.2.1). */
export interface Demands {
  /** How many seconds ago the sign-in at the provider may have been. */
  maxAge?: number;
  /** `none`: the provider must not show a page, and answers an error if it would have to. */
  prompt?: 'none';
}

/**
 * Prepares a flow.
 * @returns the flow to keep, and the address of the provider's sign-in page
 */
export async function startFlow(
  client: Client,
  { maxAge, prompt }: Demands,
): Promise<{ flow: Flow; address: URL }> {
  const { authorization_endpoint } = await discover(client);
  if (authorization_endpoint === undefined) throw new Error('no authorization endpoint');
  const flow = {
    verifier: generateRandomCodeVerifier(),
    state: generateRandomState(),
    nonce: generateRandomNonce(),
  };
  const address = new URL(authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.returnAddress,
    scope: 'openid profile email',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return { flow, address };
}

/**
 * Exchanges the provider's answer for the ID token.
 * @throws an error of oauth4webapi if the answer does not belong to the flow
 */
export async function finishFlow(
  { issuer, clientId, returnAddress }: Client,
  flow: Flow,
  answer: URLSearchParams,
): Promise<string> {
  const client = { client_id: clientId };
  // The page drops an answer that it did not request before any call to the provider.
  const parameters = validateAuthResponse({ issuer }, client, answer, flow.state);
  const provider = await discover({ issuer });
  const response = await authorizationCodeGrantRequest(
    provider,
    client,
    None(),
    parameters,
    returnAddress,
    flow.verifier,
    callsTo(issuer),
  );
  const { id_token: token } = await processAuthorizationCodeResponse(
    provider,
    // The server checks the signature and the time; the clock of this device may be wrong.
    { ...client, [clockTolerance]: A_DAY },
    response,
    { expectedNonce: flow.nonce, requireIdToken: true },
  );
  return token!;
}

/**
 * Loads the provider's metadata (OpenID Connect Discovery 1.0).
 * @throws if they name another issuer
 */
async function discover({ issuer }: Pick<Client, 'issuer'>): Promise<AuthorizationServer> {
  const identifier = new URL(issuer);
  const response = await discoveryRequest(identifier, callsTo(issuer));
  return processDiscoveryResponse(identifier, response);
}

/** Calls to the provider carry no cookies. The server's configuration decides whether http is allowed. */
const callsTo = (issuer: string) => ({
  [allowInsecureRequests]: new URL(issuer).protocol === 'http:',
  [customFetch]: (address: string, { method, headers, body, redirect }: RequestInit) =>
    fetch(address, {
      method,
      headers,
      body,
      redirect,
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE),
    }),
});
