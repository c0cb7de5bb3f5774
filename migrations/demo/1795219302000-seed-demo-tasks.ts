import type { MigrationInterface, QueryRunner } from 'typeorm';
import { idsBy, insertRows } from './insert-rows.js';
import { GROUPS } from './organizations.js';
import { PEOPLE } from './people.js';
import { TASK_TITLES } from './portal.js';

const TASKS = 360;
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 1, 9);
const MAIN_LOGINS = ['alice.martin', 'bruno.keller', 'chloe.lefevre'];

/** Seeds tasks for all process applications: open, done and cancelled, for people and for groups. */
export class SeedDemoTasks1795219302000 implements MigrationInterface {
  name = 'SeedDemoTasks1795219302000';

  async up(runner: QueryRunner): Promise<void> {
    const users = await idsBy(runner, 'users', 'login');
    const groups = await idsBy(runner, 'groups', 'reference');
    const applications = await idsBy(runner, 'applications', 'reference');
    const names = Object.keys(TASK_TITLES);
    const active = PEOPLE.slice(4).filter(({ status }) => status === 1);
    const rows = Array.from({ length: TASKS }, (_, i) => {
      const name = names[i % names.length]!;
      const round = Math.floor(i / names.length);
      const titles = TASK_TITLES[name]!;
      const isForGroup = round % 3 === 2;
      // Two of five tasks are assigned to one of the three people in the guide.
      const assignee =
        round % 5 < 2 ? MAIN_LOGINS[(i + 2 * round) % 3]! : active[(i * 7) % active.length]!.login;
      const status = round % 7 === 3 ? 'done' : round % 11 === 5 ? 'cancelled' : 'open';
      const created = START - (i % 60) * DAY;
      return {
        reference: `DEMO-${i + 1}`,
        title: titles[round % titles.length]!.replace('{n}', String(100 + i)),
        description: i % 4 === 0 ? 'Please answer within the week.' : null,
        application_id: applications.get(name),
        assignee_id: isForGroup ? null : users.get(assignee),
        group_id: isForGroup ? groups.get(GROUPS[i % GROUPS.length]!.reference) : null,
        status,
        priority: i % 6,
        due_date: i % 8 === 5 ? null : new Date(created + (10 + (i % 40)) * DAY).toISOString(),
        link: `/workplace/tasks/DEMO-${i + 1}`,
        completion_date: status === 'done' ? new Date(created + 2 * DAY).toISOString() : null,
        creation_date: new Date(created).toISOString(),
        modification_date: new Date(created).toISOString(),
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
