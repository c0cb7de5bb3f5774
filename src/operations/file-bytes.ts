import type { Reader } from '../database/database.js';
import type { ParametersService } from '../security/parameters/parameters.service.js';
import { Measurement } from './measurement.js';

/** How long a measurement stays valid, in milliseconds. */
const LIFETIME = 60_000;

/** The bytes of the files of all tasks, and their limit. */
export interface FileBytes {
  bytes: number;
  limit: number;
}

/** Reads the stored sum, which each file updates, so the cost does not depend on their number. */
export const fileBytes = (
  database: Reader,
  parameters: ParametersService,
): Measurement<FileBytes> =>
  new Measurement(LIFETIME, async () => {
    const [row] = await database.rows({
      text: 'SELECT coalesce(sum(bytes), 0) FROM task_file_bytes',
      values: [],
    });
    const limit = (await parameters.current()).number('filesStored') * 2 ** 20;
    return { bytes: Number(row![0]), limit };
  });
