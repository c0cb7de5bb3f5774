import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What ends the tokens that are too many, after a sign-in has added its own. A function sees what
 * was committed until it is called, also within a statement: overlapping sign-ins of one user, which
 * follow each other by the user's row in sign_ins, count each other's tokens.
 */
export class LimitTokens1795219700000 implements MigrationInterface {
  name = 'LimitTokens1795219700000';

  async up(runner: QueryRunner): Promise<void> {
    // A token that somebody else is ending is left to them: waiting for it could be a circle.
    await runner.query(`
      CREATE FUNCTION end_excess_tokens(owner bigint, allowed integer) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM tokens WHERE id = ANY (ARRAY(
          SELECT id FROM tokens WHERE id IN (
            SELECT id FROM tokens WHERE user_id = owner ORDER BY id DESC OFFSET allowed)
          ORDER BY id FOR UPDATE SKIP LOCKED));
        RETURN FOUND;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION end_excess_tokens(bigint, integer)');
  }
}
