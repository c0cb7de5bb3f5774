import { hash } from '@node-rs/argon2';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { idsBy, insertRows } from './insert-rows.js';
import { membersOf } from './membership.js';
import { GROUPS, ORGANIZATIONS } from './organizations.js';
import { PEOPLE } from './people.js';

const PASSWORD = 'Portal-Demo-2026';

/** The server's parameters of argon2id; 2 is the algorithm, because the package's const enum cannot be imported. */
const HASHING = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Seeds the company, its people and groups. */
export class SeedDemoDirectory1795219300000 implements MigrationInterface {
  name = 'SeedDemoDirectory1795219300000';

  async up(runner: QueryRunner): Promise<void> {
    // Parents come before their children, whose path derives from theirs.
    for (const [reference, label, parent] of ORGANIZATIONS)
      await runner.query(
        `INSERT INTO organizations (reference, label, parent_id)
         VALUES ($1, $2, (SELECT id FROM organizations WHERE reference = $3))`,
        [reference, label, parent],
      );
    const organizations = await idsBy(runner, 'organizations', 'reference');
    const ids = await insertRows(
      runner,
      'users',
      PEOPLE.map((person) => ({
        login: person.login,
        first_name: person.firstName,
        last_name: person.lastName,
        nick_name: person.nickName,
        title: `${person.firstName} ${person.lastName}`,
        email: `${person.login}@helvion.example`,
        phone_number: person.phoneNumber,
        mobile_phone_number: person.mobilePhoneNumber,
        user_function: person.userFunction,
        description: person.description,
        locale: person.locale,
        organization_id: organizations.get(person.organization),
        status: person.status,
        administrator: person.administrator ?? false,
        process_engine: person.processEngine ?? false,
        creation_date: daysAgo(person.since),
        modification_date: daysAgo(person.since),
      })),
    );
    const users = new Map(PEOPLE.map(({ login }, i) => [login, ids[i]!]));
    await this.setManagers(runner, users);
    await this.setPasswords(runner, users);
    await this.insertGroups(runner, users);
  }

  private async setManagers(runner: QueryRunner, users: Map<string, string>): Promise<void> {
    const managed = PEOPLE.filter(({ manager }) => manager !== null);
    for (const { login, manager } of managed)
      await runner.query('UPDATE users SET manager_id = $1 WHERE id = $2', [
        users.get(manager!),
        users.get(login),
      ]);
    await runner.query('UPDATE organizations SET manager_id = $1 WHERE reference IN ($2, $3)', [
      users.get('alice.martin'),
      'HQ',
      'IT',
    ]);
  }

  /** One hash for all accounts: their shared password is public, so there is no secret to protect. */
  private async setPasswords(runner: QueryRunner, users: Map<string, string>): Promise<void> {
    const shared = await hash(PASSWORD, HASHING);
    const active = PEOPLE.filter(({ status }) => status === 1);
    await insertRows(
      runner,
      'passwords',
      active.map(({ login }) => ({ user_id: users.get(login), hash: shared })),
    );
  }

  private async insertGroups(runner: QueryRunner, users: Map<string, string>): Promise<void> {
    const ids = await insertRows(
      runner,
      'groups',
      GROUPS.map(({ reference, label, description }) => ({ reference, label, description })),
    );
    const members = GROUPS.flatMap((group, i) =>
      [...membersOf(group)].map((login) => ({ group_id: ids[i], user_id: users.get(login) })),
    );
    await insertRows(runner, 'group_members', members);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE organizations SET manager_id = NULL');
    await runner.query('UPDATE users SET manager_id = NULL');
    await runner.query('DELETE FROM groups WHERE reference = ANY ($1)', [
      GROUPS.map(({ reference }) => reference),
    ]);
    await runner.query('DELETE FROM users WHERE login = ANY ($1)', [
      PEOPLE.map(({ login }) => login),
    ]);
    await runner.query('DELETE FROM organizations WHERE reference = ANY ($1)', [
      ORGANIZATIONS.map(([reference]) => reference),
    ]);
  }
}

const DAY = 86_400_000;

/** People joined on fixed days, so that every directory looks the same. */
const daysAgo = (days: number): string =>
  new Date(Date.UTC(2026, 10, 1, 9) - days * DAY).toISOString();
