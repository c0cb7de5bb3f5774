import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The limit of tokens for all whose sign-ins are one statement, in one look at their tokens. */
export class LimitTokensTogether1795230000000 implements MigrationInterface {
  name = 'LimitTokensTogether1795230000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION end_excess_tokens(bigint, integer)');
    await runner.query(endExcessTokens('owners bigint[]', 'SELECT DISTINCT unnest(owners)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION end_excess_tokens(bigint[], integer)');
    await runner.query(endExcessTokens('owner bigint', 'SELECT owner'));
  }
}

/** A token that somebody else is ending is left to them: waiting for it could be a circle. */
const endExcessTokens = (parameter: string, owners: string): string => `
  CREATE FUNCTION end_excess_tokens(${parameter}, allowed integer) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM tokens WHERE id = ANY (ARRAY(
      SELECT id FROM tokens WHERE id IN (
        SELECT excess.id FROM (${owners}) AS of (user_id) CROSS JOIN LATERAL
          (SELECT id FROM tokens WHERE user_id = of.user_id ORDER BY id DESC OFFSET allowed) excess)
      ORDER BY id FOR UPDATE SKIP LOCKED));
    RETURN FOUND;
  END $$`;
