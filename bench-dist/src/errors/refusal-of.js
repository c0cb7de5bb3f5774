import { HttpException } from '@nestjs/common';
import { refusalOfDatabaseError } from './database-errors.js';
import { forbidden, internalError, invalid, notFound, Refusal } from './refusals.js';
/** Turns whatever was thrown into the refusal that is answered. Decides by class, never by text. */
export function refusalOf(error) {
    if (error instanceof Refusal)
        return error;
    if (error instanceof HttpException)
        return refusalOfNest(error.getStatus());
    return refusalOfDatabaseError(error) ?? internalError();
}
/** What the framework itself throws; its own texts never leave. */
function refusalOfNest(status) {
    if (status === 400)
        return invalid([]);
    if (status === 403)
        return forbidden();
    return status === 404 ? notFound() : internalError();
}
//# sourceMappingURL=refusal-of.js.map