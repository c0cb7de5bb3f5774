import { ApiError, forbidden } from '../base/errors/api-errors.js';
import { type Reason, reason } from '../base/errors/reason.js';
import type { ScimType } from '../base/errors/scim-type.js';

const bad = (scimType: ScimType, why: Reason): ApiError => new ApiError(400, why, { scimType });

/** 400 for a filter that cannot be read, or compares what it cannot (RFC 7644 section 3.12). */
export const badFilter = (why: string): ApiError =>
  bad('invalidFilter', reason('scim-filter', { why }));

/** 400 for a path that names nothing that is kept here. */
export const badPath = (path: string): ApiError =>
  bad('invalidPath', reason('scim-path', { path }));

/** 400 for a removal that does not say of what. */
export const noTarget = (): ApiError => bad('noTarget', reason('scim-path', { path: '' }));

export const badValue = (attribute: string, why: string): ApiError =>
  bad('invalidValue', reason('scim-value', { attribute, why }));

export const badSyntax = (why: string): ApiError =>
  bad('invalidSyntax', reason('scim-syntax', { why }));

/** 400 for a write of what the server alone writes. */
export const readOnly = (path: string): ApiError =>
  bad('mutability', reason('scim-read-only', { path }));

/** 409 for a value that another object has. */
export const taken = (attribute: string): ApiError =>
  new ApiError(409, reason('taken', { attribute }), { scimType: 'uniqueness' });

/** 403 for a deletion of what the provider does not manage. */
export const notOwn = (noun: string): ApiError =>
  forbidden(
    reason('scim-value', {
      attribute: `The ${noun}`,
      why: 'is not managed by this provider, which can change but not delete it',
    }),
  );
