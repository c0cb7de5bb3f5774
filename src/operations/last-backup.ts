import type { Reader } from '../database/database.js';
import { Measurement } from './measurement.js';

/** How long a measurement stays valid, in milliseconds. */
const LIFETIME = 60_000;

/** The end of the last backup of the command line, in seconds since 1970; undefined before the first. */
export interface LastBackup {
  date: number | undefined;
}

/** Reads the last backup from the audit trail, by the index of its actions. */
export const lastBackup = (database: Reader): Measurement<LastBackup> =>
  new Measurement(LIFETIME, async () => {
    const [row] = await database.rows({
      text: `SELECT extract(epoch FROM date) FROM audit WHERE action = 'backup' ORDER BY id DESC LIMIT 1`,
      values: [],
    });
    return { date: row && Number(row[0]) };
  });
