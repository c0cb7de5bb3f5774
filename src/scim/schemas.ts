import { MAX_ITEMS } from '../http/json-body.js';

/** The names of schemas and messages (RFC 7643 section 8.7, RFC 7644 section 8.2). */
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
export const BULK_RESPONSE = `${MESSAGES}:BulkResponse`;

/** Most objects of a page, and bytes of a bulk. */
export const MAX_RESULTS = 500;
const MAX_PAYLOAD = 2 ** 20;

const PREFIXES = [USER, GROUP, ENTERPRISE].map((urn) => `${urn.toLowerCase()}:`);

/** The name of an attribute in lower case, without the URN of its schema: no two schemas share one. */
export function withoutUrn(name: string): string {
  const lower = name.toLowerCase();
  const prefix = PREFIXES.find((one) => lower.startsWith(one));
  return prefix === undefined ? lower : lower.slice(prefix.length);
}

type Json = Record<string, unknown>;

const attribute = (name: string, more: Json = {}): Json => ({
  name,
  type: 'string',
  multiValued: false,
  description: name,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const complex = (name: string, subAttributes: Json[], more: Json = {}): Json =>
  attribute(name, { type: 'complex', subAttributes, ...more });
const given = { mutability: 'readOnly' };
const typed = (types: string[]): Json[] => [
  attribute('value'),
  attribute('type', { canonicalValues: types }),
  attribute('primary', { type: 'boolean' }),
];
const reference = (more: Json = {}): Json[] => [
  attribute('value', { caseExact: true, ...more }),
  attribute('$ref', { type: 'reference', referenceTypes: ['User', 'Group'], ...given }),
  attribute('display', given),
];

const externalId = attribute('externalId', { caseExact: true });

const SCHEMAS: [id: string, name: string, attributes: Json[]][] = [
  [
    USER,
    'User',
    [
      attribute('userName', { required: true, uniqueness: 'server' }),
      externalId,
      complex('name', [
        attribute('formatted', given),
        attribute('familyName', { required: true }),
        attribute('givenName'),
      ]),
      attribute('displayName'),
      attribute('nickName'),
      attribute('title'),
      attribute('preferredLanguage'),
      attribute('locale'),
      attribute('active', { type: 'boolean' }),
      complex('emails', typed(['work']), { multiValued: true }),
      complex('phoneNumbers', typed(['work', 'mobile']), { multiValued: true }),
      complex('photos', typed(['photo']), { multiValued: true, ...given }),
      complex('groups', reference(given), { multiValued: true, ...given }),
    ],
  ],
  [
    GROUP,
    'Group',
    [
      attribute('displayName', { required: true }),
      externalId,
      complex('members', reference(), { multiValued: true }),
    ],
  ],
  [
    ENTERPRISE,
    'EnterpriseUser',
    [
      attribute('department'),
      attribute('organization'),
      complex('manager', [
        attribute('value', { caseExact: true }),
        attribute('$ref', { type: 'reference', referenceTypes: ['User'], ...given }),
        attribute('displayName', given),
      ]),
    ],
  ],
];

/** The documents that describe the server (RFC 7643 sections 5 to 7), by the last part of their paths. */
export function discovery(
  base: string,
): Record<'ResourceTypes' | 'Schemas', Json[]> & { ServiceProviderConfig: Json } {
  const meta = (resourceType: string, path: string): Json => ({
    meta: { resourceType, location: `${base}/${path}` },
  });
  return {
    ServiceProviderConfig: {
      schemas: [`${CORE}:ServiceProviderConfig`],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: MAX_ITEMS, maxPayloadSize: MAX_PAYLOAD },
      filter: { supported: true, maxResults: MAX_RESULTS },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'Bearer',
          description: 'An API key of the service account of the provider, as a bearer token',
          primary: true,
        },
      ],
      ...meta('ServiceProviderConfig', 'ServiceProviderConfig'),
    },
    ResourceTypes: [
      { name: 'User', endpoint: '/Users', schema: USER, extension: ENTERPRISE },
      { name: 'Group', endpoint: '/Groups', schema: GROUP },
    ].map(({ name, endpoint, schema, extension }) => ({
      schemas: [`${CORE}:ResourceType`],
      id: name,
      name,
      endpoint,
      description: name,
      schema,
      schemaExtensions: extension === undefined ? [] : [{ schema: extension, required: false }],
      ...meta('ResourceType', `ResourceTypes/${name}`),
    })),
    Schemas: SCHEMAS.map(([id, name, attributes]) => ({
      schemas: [`${CORE}:Schema`],
      id,
      name,
      description: name,
      attributes,
      ...meta('Schema', `Schemas/${id}`),
    })),
  };
}

/** A page of a list (RFC 7644 section 3.4.2). */
export const listResponse = (Resources: Json[], totalResults: number, startIndex = 1): Json => ({
  schemas: [`${MESSAGES}:ListResponse`],
  totalResults,
  startIndex,
  itemsPerPage: Resources.length,
  Resources,
});
