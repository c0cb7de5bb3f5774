import type { MigrationInterface, QueryRunner } from 'typeorm';
import { analyze, replaceIndex } from './schema-helpers.js';

/** The tables with references, except for tasks. */
const TABLES = [
  'organizations',
  'groups',
  'categories',
  'applications',
  'views',
  'documents',
  'news',
  'faqs',
  'customers',
  'sources',
  'endpoints',
  'absences',
  'task_filters',
];

/** SQL of the text as lists compare it. */
const FOLDED = 'fold(reference COLLATE "C")';

/**
 * References are unique as they are: a name that paths, bodies and pushes compare exactly may differ from another one by
 * case or accents. The index begins with the folded text, which also orders the tasks of lists.
 */
export class CompareReferencesAsTheyAre1809430000000 implements MigrationInterface {
  name = 'CompareReferencesAsTheyAre1809430000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await replaceKey(runner, table, `(${FOLDED}, reference)`);
    await replaceKey(runner, 'tasks', `(${FOLDED}, reference) INCLUDE (id)`);
    await analyze(runner, 'tasks');
  }

  /** Fails where references differ by case or accents alone. */
  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await replaceKey(runner, table, `(${FOLDED})`);
    await replaceKey(runner, 'tasks', `(${FOLDED}) INCLUDE (id, reference)`);
    await analyze(runner, 'tasks');
  }
}

const replaceKey = (runner: QueryRunner, table: string, columns: string): Promise<void> =>
  replaceIndex(runner, {
    name: `${table}_reference_key`,
    on: `${table} ${columns}`,
    unique: true,
  });
