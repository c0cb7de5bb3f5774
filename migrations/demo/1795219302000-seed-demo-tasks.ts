import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inDays } from './dates.js';
import { idsBy, insertRows } from './insert-rows.js';
import { isMeantFor } from './membership.js';
import { PEOPLE, type Person } from './people.js';
import { APPLICATIONS, WORK } from './portal.js';

const TASKS = 360;
const DESCRIPTIONS: Record<Person['locale'], string> = {
  en: 'Please answer within the week.',
  fr: 'Merci de répondre dans la semaine.',
  de: 'Bitte antworten Sie innerhalb der Woche.',
};
/** The people in the guides. */
const MAIN = PEOPLE.slice(0, 3);
const OTHERS = PEOPLE.slice(4).filter(({ status }) => status === 1);

/** Seeds tasks for all process applications: open, done and cancelled, for people and groups that see the application. */
export class SeedDemoTasks1795219302000 implements MigrationInterface {
  name = 'SeedDemoTasks1795219302000';

  async up(runner: QueryRunner): Promise<void> {
    const users = await idsBy(runner, 'users', 'login');
    const groups = await idsBy(runner, 'groups', 'reference');
    const applications = await idsBy(runner, 'applications', 'reference');
    const rows = Array.from({ length: TASKS }, (_, i) => {
      const { application, title, locale, login, group } = taskAt(i);
      const round = Math.floor(i / WORK.length);
      const status = round % 7 === 3 ? 'done' : round % 11 === 5 ? 'cancelled' : 'open';
      const created = -3 - (i % 60);
      return {
        reference: `DEMO-${i + 1}`,
        title,
        description: i % 4 === 0 ? DESCRIPTIONS[locale] : null,
        application_id: applications.get(application),
        assignee_id: login === undefined ? null : users.get(login),
        group_id: group === undefined ? null : groups.get(group),
        status,
        priority: i % 6,
        // A few are overdue, most are due in the next weeks.
        due_date: i % 8 === 5 ? null : inDays(((i * 7) % 40) - 4),
        link: `/workplace/tasks/DEMO-${i + 1}`,
        closed_date: status === 'done' ? inDays(created + 2) : null,
        creation_date: inDays(created),
        modification_date: inDays(created),
      };
    });
    await insertRows(runner, 'tasks', rows);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM tasks WHERE reference = ANY ($1)', [
      Array.from({ length: TASKS }, (_, i) => `DEMO-${i + 1}`),
    ]);
  }
}

/** A task before its dates. */
interface Work {
  application: string;
  title: string;
  /** The language of the person; English for a group. */
  locale: Person['locale'];
  login?: string;
  group?: string;
}

/** Application, title, and the person or group of a task; the same for every demonstration. */
function taskAt(i: number): Work {
  const { application, personal, shared } = WORK[i % WORK.length]!;
  const round = Math.floor(i / WORK.length);
  const titled = (titles: string[]): string =>
    titles[round % titles.length]!.replace('{n}', String(100 + i)).replace(
      '{week}',
      String(1 + (i % 52)),
    );
  const names = Object.keys(shared);
  const group = names[round % names.length];
  if (group !== undefined && (round % 3 === 2 || personal === undefined))
    return { application, title: titled(shared[group]!), locale: 'en', group };
  const { audience } = APPLICATIONS.find(({ reference }) => reference === application)!;
  const seeing = (people: typeof PEOPLE) => people.filter((one) => isMeantFor(audience, one));
  // Two of five tasks are assigned to one of the people in the guides who see the application.
  const main = seeing(MAIN);
  const people = round % 5 < 2 && main.length > 0 ? main : seeing(OTHERS);
  const { login, locale } = people[(i + 2 * round) % people.length]!;
  return { application, title: titled(personal![locale]), locale, login };
}
