import { HttpException } from '@nestjs/common';
import { refusalOfDatabaseError } from './database-errors.js';
import { forbidden, internalError, invalidField, notFound, Refusal } from './refusals.js';

/** Turns whatever was thrown into the refusal that is answered. Decides by class, never by text. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof HttpException) return refusalOfNest(error.getStatus());
  return refusalOfDatabaseError(error) ?? internalError();
}

/** What the framework itself throws; its own texts never leave. */
function refusalOfNest(status: number): Refusal {
  // The router could not decode a parameter of the path.
  if (status === 400) return invalidField('path', 'not valid UTF-8 in percent-encoding');
  if (status === 403) return forbidden();
  return status === 404 ? notFound() : internalError();
}
