import { ApiError, invalid, type InvalidField } from '../../base/errors/api-errors.js';

/** An attribute of the view, as the body of a tile names it. */
export const toFieldOfView = ({ name, reason }: InvalidField): InvalidField => ({
  name: `view.${name}`,
  reason,
});

/** The attribute `view` of the application, which is not the part `view` of the body. */
export const toFieldOfApplication = ({ name, reason }: InvalidField): InvalidField => ({
  name: name === 'view' ? 'application.view' : name,
  reason,
});

/** @throws the error, with other names for its fields */
export function rename(error: unknown, toField: (field: InvalidField) => InvalidField): never {
  if (error instanceof ApiError && error.details.fields)
    throw invalid(error.details.fields.map(toField));
  throw error;
}

/**
 * Waits for a write, and adds the invalid attributes that it reports to the known ones.
 * @returns undefined when the write had invalid attributes
 * @throws every other error of the write
 */
export async function collectFaults<T>(
  faults: InvalidField[],
  write: Promise<T>,
): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ApiError && error.details.fields)) throw error;
    faults.push(...error.details.fields);
    return undefined;
  }
}
