import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A token is valid until its expiration: a further sign-in ends none. What bounds the tokens of an
 * account is a count of those issued since it was last compared with the valid ones, in the row that
 * every sign-in writes anyway. Tokens only ever vanish, so the count is never too low.
 */
export class CountIssuedTokens1795231100000 implements MigrationInterface {
  name = 'CountIssuedTokens1795231100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_ins ADD issued_tokens integer NOT NULL DEFAULT 0');
    await runner.query(`
      UPDATE sign_ins SET issued_tokens = held.count
      FROM (SELECT user_id, count(*) AS count FROM tokens GROUP BY user_id) held
      WHERE held.user_id = sign_ins.user_id`);
    await runner.query('DROP FUNCTION end_excess_tokens(bigint[], integer)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION end_excess_tokens(owners bigint[], allowed integer) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM tokens WHERE id = ANY (ARRAY(
          SELECT id FROM tokens WHERE id IN (
            SELECT excess.id FROM (SELECT DISTINCT unnest(owners)) AS of (user_id) CROSS JOIN LATERAL
              (SELECT id FROM tokens WHERE user_id = of.user_id ORDER BY id DESC OFFSET allowed) excess)
          ORDER BY id FOR UPDATE SKIP LOCKED));
        RETURN FOUND;
      END $$`);
    await runner.query('ALTER TABLE sign_ins DROP issued_tokens');
  }
}
