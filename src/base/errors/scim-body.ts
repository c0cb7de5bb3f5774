import type { ApiError } from './api-errors.js';

/** The body of an error in the form of SCIM. */
export function scimBodyOf({ status, message, reason, details }: ApiError): object {
  const { scimType, fields } = details;
  const type =
    scimType ?? (reason.code === 'taken' ? 'uniqueness' : fields ? 'invalidValue' : undefined);
  const detail = fields?.map(({ name, reason: why }) => `${name}: ${why.message}`).join('; ');
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(type !== undefined && { scimType: type }),
    detail: detail ?? message,
  };
}
