import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sortIndexes } from './schema-helpers.js';

/**
 * What an engine says about a decision, and which endpoints an engine confirms decisions with. The statement that
 * decides a task makes its decision wait for the engine, also in plain SQL (docs/decisions/0043).
 */
export class ConfirmDecisions1801200000000 implements MigrationInterface {
  name = 'ConfirmDecisions1801200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tasks
        ADD confirmation text,
        ADD refusal_reason text,
        ADD decision uuid,
        ADD CONSTRAINT tasks_confirmation_check CHECK (confirmation IN ('pending', 'confirmed', 'refused'))`);
    await runner.query(
      'CREATE INDEX tasks_confirmation_idx ON tasks (confirmation, id) WHERE confirmation IS NOT NULL',
    );
    await runner.query(`
      ALTER TABLE endpoints
        ADD source_id bigint REFERENCES sources,
        ADD confirms boolean NOT NULL DEFAULT false,
        ADD adapter text,
        ADD variables text[] NOT NULL DEFAULT '{}',
        ADD CONSTRAINT endpoints_adapter_check CHECK (
          adapter IS NULL OR (adapter IN ('camunda7', 'camunda8', 'flowable', 'bonita')
            AND mode = 'push' AND source_id IS NOT NULL))`);
    await sortIndexes(runner, 'endpoints', { values: ['source_id', 'confirms', 'adapter'] });
    await this.awaitEngines(runner);
  }

  /** What a process engine closes itself waits for no engine. */
  private async awaitEngines(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    await runner.query(`
      CREATE FUNCTION tasks_await_engine() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = ${schema}, pg_temp AS $$
      BEGIN
        NEW.decision := NULL;
        IF NEW.status = 'open' AND NEW.confirmation = 'refused' THEN RETURN NEW; END IF;
        NEW.confirmation := NULL;
        NEW.refusal_reason := NULL;
        IF NEW.status = 'done'
          AND EXISTS (
            SELECT FROM endpoints p WHERE (p.confirms OR p.adapter IS NOT NULL)
              AND (p.adapter IS NULL OR NEW.external_id IS NOT NULL)
              AND (p.source_id IS NULL OR p.source_id = NEW.source_id)
              AND (p.kinds = '{}' OR 'task.decided' = ANY (p.kinds))
              AND (NOT EXISTS (SELECT FROM endpoint_applications x WHERE x.endpoint_id = p.id)
                OR EXISTS (SELECT FROM endpoint_applications x
                  WHERE x.endpoint_id = p.id AND x.application_id = NEW.application_id)))
          AND NOT EXISTS (SELECT FROM users u WHERE u.id = NEW.closed_by_id AND u.process_engine)
        THEN
          NEW.confirmation := 'pending';
          NEW.decision := gen_random_uuid();
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tasks_await_engine BEFORE UPDATE OF status ON tasks FOR EACH ROW
        WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tasks_await_engine()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION tasks_await_engine() CASCADE');
    await runner.query(
      'ALTER TABLE endpoints DROP source_id, DROP confirms, DROP adapter, DROP variables',
    );
    await runner.query('ALTER TABLE tasks DROP confirmation, DROP refusal_reason, DROP decision');
  }
}
