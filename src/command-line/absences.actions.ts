import { Database } from '../database/database.js';
import { parsePatch } from '../base/json-patch/parse-patch.js';
import { absences } from '../process/absences/absence.resource.js';
import { AbsenceRules } from '../process/absences/absence.rules.js';
import { ResourceWriter } from '../resources/write/resource-writer.js';
import { ADMINISTRATOR } from './administrator.js';
import { idOf } from './id-of.js';
import { CommandError, Misuse, print, type PrintOptions } from './output.js';
import { PROCESS_MODULES } from './process-modules.js';
import { type Server, withServer } from './with-server.js';

interface AddOptions extends PrintOptions {
  until?: string;
  from?: string;
  application?: string;
}

export const add = (login: string, substitute: string, options: AddOptions): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const { until, from, application = null, ...shown } = options;
    if (until === undefined) throw new Misuse('say when the absence ends, with --until');
    const { representation } = await server
      .get(ResourceWriter)
      .create(
        { resource: absences, caller: ADMINISTRATOR, auditContext: server.auditContext },
        server.get(AbsenceRules),
        {
          user: login,
          substitute,
          application,
          startDate: from ?? new Date().toISOString(),
          endDate: until,
        },
      );
    const reference = String(representation.reference);
    print([{ reference }], shown, reference);
  });

export const end = (name: string, options: PrintOptions): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const { id, hasBegun, hasEnded, now } = await find(server, name);
    if (hasEnded) throw new CommandError(`${name} has ended already`);
    const [writer, rules] = [server.get(ResourceWriter), server.get(AbsenceRules)];
    const { auditContext } = server;
    const change = { resource: absences, caller: ADMINISTRATOR, auditContext, id };
    const report = (state: string): void =>
      print([{ absence: name, state }], options, `${name} is ${state}`);
    if (!hasBegun) {
      await writer.delete(change, rules);
      return report('deleted');
    }
    const operation = { op: 'replace' as const, path: '/endDate', value: now };
    await writer.patch(change, rules, parsePatch([operation]));
    report('ended');
  });

/**
 * Uses the clock of the database.
 * @throws CommandError for an unknown reference or id
 */
async function find(server: Server, name: string): Promise<Found> {
  const [row] = await server.get(Database).query<Found>({
    text: `SELECT id::text, start_date < now() AS "hasBegun", end_date <= now() AS "hasEnded", now() AS now FROM absences
      WHERE id = $1`,
    values: [await idOf(server.get(Database), absences, name)],
  });
  if (!row) throw new CommandError(`there is no absence ${name}`);
  return row;
}

interface Found {
  id: string;
  hasBegun: boolean;
  hasEnded: boolean;
  now: string;
}
