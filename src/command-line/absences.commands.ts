import type { Command } from 'commander';
import { Database } from '../database/database.js';
import { parsePatch } from '../json-patch/parse-patch.js';
import { absences } from '../process/absence.resource.js';
import { AbsenceRules } from '../process/absence.rules.js';
import { ResourceWriter } from '../resources/write/resource-writer.js';
import { action } from './action.js';
import { ADMINISTRATOR } from './administrator.js';
import { idOf } from './id-of.js';
import { CommandError, Misuse, print, type PrintOptions } from './output.js';
import { type Server, withServer } from './with-server.js';

interface ListOptions extends PrintOptions {
  user?: string;
  all?: boolean;
}

interface AddOptions {
  until?: string;
  from?: string;
  application?: string;
}

/** `absences list|add|end` */
export function addAbsenceCommands(program: Command): void {
  const command = program.command('absences').description('who stands in for whom, and when');
  command
    .command('list')
    .option('--user <login>', 'those of this person, away or standing in')
    .option('--all', 'those that have ended too')
    .option('--json', 'print JSON')
    .description('list the absences that have not ended, the earliest first')
    .action(action(list));
  command
    .command('add')
    .argument('<login>', 'who is away')
    .argument('<substitute>', 'the login of who stands in')
    .option('--until <timestamp>', 'the end, such as 2027-08-02T06:00:00Z')
    .option('--from <timestamp>', 'the beginning; by default now')
    .option('--application <reference>', 'for the tasks of this application alone')
    .description('enter an absence; prints its reference')
    .action(action(add));
  command
    .command('end')
    .argument('<absence>', 'its reference or id')
    .description('end an absence now; one that has not begun is deleted')
    .action(action(end));
}

const list = ({ user, all = false, ...options }: ListOptions): Promise<void> =>
  withServer(async (server) => {
    const rows = await server.get(Database).query<Record<string, unknown>>({
      text: `SELECT a.reference, u.login AS user, s.login AS substitute, p.reference AS application,
          a.start_date AS "startDate", a.end_date AS "endDate", a.active
        FROM absences a JOIN users u ON u.id = a.user_id JOIN users s ON s.id = a.substitute_id
          LEFT JOIN applications p ON p.id = a.application_id
        WHERE ($1::text IS NULL OR login_key($1) IN (login_key(u.login), login_key(s.login)))
          AND ($2 OR a.end_date > now())
        ORDER BY a.start_date, a.id`,
      values: [user ?? null, all],
    });
    print(rows, options);
  });

const add = (login: string, substitute: string, options: AddOptions): Promise<void> =>
  withServer(async (server) => {
    const { until, from, application = null } = options;
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
    process.stdout.write(`${String(representation.reference)}\n`);
  });

const end = (name: string): Promise<void> =>
  withServer(async (server) => {
    const { id, hasBegun, hasEnded, now } = await find(server, name);
    if (hasEnded) throw new CommandError(`${name} has ended already`);
    const [writer, rules] = [server.get(ResourceWriter), server.get(AbsenceRules)];
    const { auditContext } = server;
    const change = { resource: absences, caller: ADMINISTRATOR, auditContext, id };
    if (!hasBegun) return writer.delete(change, rules);
    const operation = { op: 'replace' as const, path: '/endDate', value: now };
    await writer.patch(change, rules, parsePatch([operation]));
  });

/** By the clock of the database. @throws CommandError when there is none of this reference or id */
async function find(server: Server, name: string): Promise<Found> {
  const [row] = await server.get(Database).query<Found>({
    text: `SELECT id::text, start_date < now() AS "hasBegun", end_date <= now() AS "hasEnded", now() AS now FROM absences
      WHERE id = $1`,
    values: [await idOf(server, absences, name)],
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
