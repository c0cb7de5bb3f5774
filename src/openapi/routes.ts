import { LIST_PARAMETERS, listOf, pageOf, queryParameter, refTo, type Schema } from './schemas.js';

/** One route of the description. */
export interface RouteDescription {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  tag: string;
  summary: string;
  /** Of success; 200 when missing. */
  status?: number;
  answer?: Schema;
  answerType?: string;
  body?: Schema;
  bodyType?: string;
  parameters?: Schema[];
  /** It needs no token. */
  open?: boolean;
  /** It also takes an ID token of the identity provider, and then no body. */
  takesBearer?: boolean;
  /** Its answer has an ETag, and If-None-Match makes it a 304. */
  revalidated?: boolean;
}

const required = (name: string, description: string): Schema =>
  queryParameter(name, description, true);
const optional = (name: string, description: string): Schema => queryParameter(name, description);

const AUTHENTICATION = '/api/v2/authentication';
const USER = '/api/v2/directory/users/{id}';
const ADMINISTRATION = '/api/v2/administration';
const WORKPLACE = '/navigation/workplace';
const binary: Schema = { type: 'string', contentEncoding: 'binary' };
const application = required('applicationUri', 'URI of the application');

/** The routes that no resource has by its description. */
export const DESCRIBED_ROUTES: RouteDescription[] = [
  {
    method: 'post',
    path: AUTHENTICATION,
    tag: 'Authentication',
    summary:
      'Sign in: login and password, login and API key, or a bearer token of the identity provider and no body',
    answer: refTo('Token'),
    body: refTo('Credentials'),
    open: true,
    takesBearer: true,
  },
  {
    method: 'get',
    path: AUTHENTICATION,
    tag: 'Authentication',
    summary: 'The session behind the token',
    answer: refTo('CallerSession'),
  },
  {
    method: 'delete',
    path: AUTHENTICATION,
    tag: 'Authentication',
    summary: 'Sign out: the token is dead at once',
    status: 204,
  },
  {
    method: 'post',
    path: `${AUTHENTICATION}/confirmation`,
    tag: 'Authentication',
    summary: 'Confirm your own password: for five minutes the session may make credentials',
    status: 204,
    body: refTo('Confirmation'),
  },
  {
    method: 'get',
    path: '/api/v2',
    tag: 'Service',
    summary: 'Name, version and interfaces of this server',
    answer: refTo('Service'),
    open: true,
  },
  {
    method: 'get',
    path: '/api/v2/openapi.json',
    tag: 'Service',
    summary: 'This description',
    answer: { type: 'object' },
    open: true,
  },
  {
    method: 'get',
    path: '/api/v2/reference',
    tag: 'Service',
    summary: 'This description as a page',
    answer: { type: 'string' },
    answerType: 'text/html',
    open: true,
  },
  {
    method: 'get',
    path: '/api/v2/directory/users/me',
    tag: 'Users',
    summary: 'The caller, detailed',
    answer: refTo('UsersDetailed'),
  },
  {
    method: 'put',
    path: `${USER}/password`,
    tag: 'Users',
    summary:
      'Set a password; the other tokens of the user end, and after a reset by somebody else the API keys too',
    status: 204,
    body: refTo('PasswordChange'),
  },
  {
    method: 'get',
    path: '/api/v2/directory/password-rules',
    tag: 'Users',
    summary: 'The password rules in force',
    answer: refTo('PasswordRules'),
    open: true,
  },
  {
    method: 'get',
    path: `${USER}/tokens`,
    tag: 'Users',
    summary: 'The sessions of a user',
    answer: pageOf('Tokens'),
    parameters: LIST_PARAMETERS,
  },
  {
    method: 'delete',
    path: `${USER}/tokens`,
    tag: 'Users',
    summary: 'End all sessions of a user',
    status: 204,
  },
  {
    method: 'delete',
    path: `${USER}/tokens/{tokenId}`,
    tag: 'Users',
    summary: 'End one session',
    status: 204,
  },
  {
    method: 'get',
    path: `${USER}/api-keys`,
    tag: 'Users',
    summary: 'The API keys of a user',
    answer: pageOf('ApiKeys'),
    parameters: LIST_PARAMETERS,
  },
  {
    method: 'post',
    path: `${USER}/api-keys`,
    tag: 'Users',
    summary: 'Make an API key; this answer alone shows it',
    status: 201,
    answer: refTo('NewApiKey'),
    body: refTo('ApiKeyBody'),
  },
  {
    method: 'delete',
    path: `${USER}/api-keys/{keyId}`,
    tag: 'Users',
    summary: 'Delete an API key; the tokens that it issued end',
    status: 204,
  },
  {
    method: 'delete',
    path: `${USER}/api-keys`,
    tag: 'Users',
    summary: 'Delete all API keys of a user; the tokens that they issued end',
    status: 204,
  },
  {
    method: 'get',
    path: `${USER}/identities`,
    tag: 'Users',
    summary: 'The identities of a user at the identity provider',
    answer: pageOf('Identities'),
    parameters: LIST_PARAMETERS,
  },
  {
    method: 'delete',
    path: `${USER}/identities`,
    tag: 'Users',
    summary: 'Unbind all identities of a user; the sessions end',
    status: 204,
  },
  {
    method: 'delete',
    path: `${USER}/identities/{identityId}`,
    tag: 'Users',
    summary: 'Unbind one identity; the sessions end',
    status: 204,
  },
  {
    method: 'delete',
    path: `${USER}/invitation`,
    tag: 'Users',
    summary: 'Void the open invitation of a user, if there is one',
    status: 204,
  },
  {
    method: 'delete',
    path: `${USER}/lock`,
    tag: 'Users',
    summary: 'End the lock after too many failed sign-ins',
    status: 204,
  },
  {
    method: 'post',
    path: `${USER}/invitation`,
    tag: 'Users',
    summary: 'Make a one-time code for a first or a new password',
    status: 201,
    answer: refTo('Invitation'),
  },
  {
    method: 'post',
    path: '/api/v2/directory/invitations',
    tag: 'Users',
    summary: 'Use a one-time code',
    status: 204,
    body: refTo('InvitationUse'),
    open: true,
  },
  {
    method: 'get',
    path: `${USER}/photo`,
    tag: 'Users',
    summary: 'The photo of a user',
    answer: binary,
    answerType: 'image/webp',
  },
  {
    method: 'put',
    path: `${USER}/photo`,
    tag: 'Users',
    summary: 'Store a photo: JPEG, PNG or WebP, up to 2 MiB',
    status: 204,
    body: binary,
    bodyType: 'image/*',
  },
  {
    method: 'delete',
    path: `${USER}/photo`,
    tag: 'Users',
    summary: 'Delete the photo',
    status: 204,
  },
  {
    method: 'get',
    path: '/api/v2/directory/groups/{id}/members',
    tag: 'Groups',
    summary: 'List the members of a group',
    answer: pageOf('Users'),
    parameters: LIST_PARAMETERS,
  },
  {
    method: 'put',
    path: '/api/v2/directory/groups/{id}/members/{userId}',
    tag: 'Groups',
    summary: 'Add a member',
    status: 204,
  },
  {
    method: 'delete',
    path: '/api/v2/directory/groups/{id}/members/{userId}',
    tag: 'Groups',
    summary: 'Remove a member',
    status: 204,
  },
  {
    method: 'get',
    path: `${ADMINISTRATION}/parameters`,
    tag: 'Administration',
    summary: 'List the server parameters',
    answer: pageOf('Parameters'),
    parameters: LIST_PARAMETERS,
  },
  {
    method: 'get',
    path: `${ADMINISTRATION}/parameters/{key}`,
    tag: 'Administration',
    summary: 'One server parameter',
    answer: refTo('Parameters'),
  },
  {
    method: 'put',
    path: `${ADMINISTRATION}/parameters/{key}`,
    tag: 'Administration',
    summary: 'Set a server parameter; it holds on every instance within a second',
    answer: refTo('Parameters'),
    body: refTo('ParameterChange'),
    parameters: [optional('force', 'true sets an address rule that locks the caller out')],
  },
  {
    method: 'get',
    path: `${ADMINISTRATION}/address-check`,
    tag: 'Administration',
    summary: 'Which address counts, and what the address rules say of it',
    answer: refTo('AddressCheck'),
    parameters: [optional('address', 'another address than that of this call')],
  },
  {
    method: 'get',
    path: `${ADMINISTRATION}/audit`,
    tag: 'Administration',
    summary: 'List the audit trail: every write, sign-in and refusal',
    answer: pageOf('Audit'),
    parameters: LIST_PARAMETERS,
  },
  {
    method: 'get',
    path: `${ADMINISTRATION}/audit/attributes`,
    tag: 'Administration',
    summary: 'What the audit trail can be sorted and filtered by',
    answer: listOf(refTo('AttributeDescription')),
  },
  {
    method: 'get',
    path: '/api/v2/process/views/{id}/records',
    tag: 'Views',
    summary: 'Execute a view for the caller: the tasks that are its rows',
    answer: pageOf('Tasks'),
    parameters: LIST_PARAMETERS,
  },
  {
    method: 'get',
    path: '/api/v2/directory/users/me/favourites',
    tag: 'Users',
    summary: 'The applications that the caller keeps at hand, in order',
    answer: refTo('Favourites'),
  },
  {
    method: 'put',
    path: '/api/v2/directory/users/me/favourites',
    tag: 'Users',
    summary: 'Replace the favourites',
    answer: refTo('Favourites'),
    body: refTo('FavouritesBody'),
  },
  {
    method: 'get',
    path: '/api/v2/navigation/preview',
    tag: 'Navigation',
    summary: 'What a person sees, with the reason for every application',
    answer: refTo('Preview'),
    parameters: [required('user', 'URI or id of the person')],
  },
  {
    method: 'get',
    path: WORKPLACE,
    tag: 'Navigation',
    summary: 'Categories, their applications and all counters in one answer',
    answer: listOf(refTo('WorkplaceCategory')),
  },
  {
    method: 'get',
    path: `${WORKPLACE}/categories`,
    tag: 'Navigation',
    summary: 'The service categories of the portal',
    answer: listOf(refTo('Category')),
  },
  {
    method: 'get',
    path: `${WORKPLACE}/apps`,
    tag: 'Navigation',
    summary: 'The services of one category',
    answer: listOf(refTo('Application')),
    parameters: [required('category', 'URI of the category')],
  },
  {
    method: 'get',
    path: `${WORKPLACE}/apps/indicator`,
    tag: 'Navigation',
    summary: 'The indicator of one application',
    answer: refTo('Indicator'),
    parameters: [application],
  },
  {
    method: 'get',
    path: `${WORKPLACE}/views/count`,
    tag: 'Navigation',
    summary: 'The indicator, as updateCounterUrl names it',
    answer: refTo('Indicator'),
    parameters: [application],
  },
  {
    method: 'get',
    path: '/navigation/directory/users/{id}/photo',
    tag: 'Navigation',
    summary: 'The photo of a user, or drawn initials',
    answer: binary,
    answerType: 'image/*',
  },
  {
    method: 'get',
    path: '/navigation/search/workplace',
    tag: 'Search',
    summary: 'Run a named search, 20 records a page',
    answer: refTo('SearchEnvelope'),
    parameters: [
      required('query', 'the search text; empty or * for everything'),
      required('searchName', 'name of the search'),
      required('searchField', 'quickSearch or a stored text of the record'),
      optional('searchIndexBottom', 'marker of a previous call'),
      optional('searchIndexTop', 'marker of a previous call'),
    ],
  },
  {
    method: 'get',
    path: '/health/live',
    tag: 'Health',
    summary: 'The process answers',
    answer: refTo('Health'),
    open: true,
  },
  {
    method: 'get',
    path: '/health/ready',
    tag: 'Health',
    summary: 'The server can do its work',
    answer: refTo('Health'),
    open: true,
  },
];
