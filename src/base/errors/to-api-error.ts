import { HttpException } from '@nestjs/common';
import { fromDatabaseError } from './database-errors.js';
import { forbidden, internalError, invalidField, notFound, ApiError } from './api-errors.js';
import { reason } from './reason.js';

/** Turns any thrown value into the ApiError that is sent. Decides by class, never by message. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HttpException) return fromHttpException(error.getStatus());
  return fromDatabaseError(error) ?? internalError();
}

/** The ApiError for an exception of the framework, whose message never leaves the server. */
function fromHttpException(status: number): ApiError {
  // The router could not decode a parameter of the path.
  if (status === 400) return invalidField('path', reason('bad-percent-encoding'));
  if (status === 403) return forbidden();
  return status === 404 ? notFound() : internalError();
}
