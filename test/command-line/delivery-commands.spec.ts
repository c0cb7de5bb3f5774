import { describe, expect, it } from '@jest/globals';
import { useEndpointCommandLine } from '../support/endpoint-command-line.js';
import { eventually } from '../support/eventually.js';
import { status } from '../support/receiver.js';

/** Deliveries on the command line (docs/command-line.md). */

const served = useEndpointCommandLine();
const run = (...args: string[]) => served.run(args);

describe('the command line', () => {
  it('lists deliveries by state and task, and sends those again that have failed', async () => {
    const { id } = await served.world.push(served.receiver.url, { reference: 'ENGINE' });
    served.receiver.usual = status(400);
    const first = await served.world.task();
    await served.world.task();
    await eventually(async () =>
      expect(await served.world.deliveries(id, 'attempts:eq:1')).toHaveLength(2),
    );
    await served.world.server.database.query(
      `UPDATE deliveries SET status = 'failed', completion_date = now() WHERE task_id = $1`,
      [first],
    );
    const listed = await run('deliveries', 'list', 'ENGINE', '--state', 'failed', '--json');
    expect([listed.code, listed.error]).toEqual([0, '']);
    const rows = JSON.parse(listed.out) as { id: string }[];
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: 'task.created',
        task: `TASK-${first}`,
        revision: 1,
        status: 'failed',
        attempts: 1,
        nextAttemptDate: null,
        log: [
          {
            attemptDate: expect.any(String),
            duration: expect.any(Number),
            status: 400,
            message: null,
          },
        ],
      },
    ]);
    const ofTask = await run('deliveries', 'list', 'ENGINE', '--task', `TASK-${first}`);
    expect(ofTask.out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^id +kind +task +revision +status +attempts +nextAttemptDate +lastAttemptDate/,
      ),
      expect.stringMatching(
        new RegExp(`^${rows[0]!.id} +task.created +TASK-${first} +1 +failed +1 `),
      ),
    ]);
    const states = JSON.parse((await run('endpoints', 'list', '--json')).out) as object[];
    expect(states).toEqual([
      {
        reference: 'ENGINE',
        mode: 'push',
        adapter: null,
        confirms: false,
        state: 'failing',
        waiting: 1,
        failed: 1,
        lastSuccessDate: null,
        lastFailureDate: null,
        url: served.receiver.url,
      },
    ]);
    served.receiver.usual = status(204);
    expect(await run('deliveries', 'replay', 'ENGINE', '--failed')).toEqual({
      code: 0,
      out: '1\n',
      error: '',
    });
    await eventually(async () =>
      expect(await served.world.deliveries(id, 'status:eq:delivered')).toHaveLength(1),
    );
    await served.world.clear();
  });

  it('sends the deliveries of a time again', async () => {
    const id = await served.world.pull({ reference: 'QUEUE' });
    await served.world.server.database.query(
      `INSERT INTO deliveries (endpoint_id, kind, data, status, creation_date, completion_date)
        SELECT $1, 'endpoint.test', '{}', s, timestamptz '2027-08-02T06:00:00Z' + make_interval(hours => h), now()
        FROM unnest('{delivered,failed}'::text[]) AS s, generate_series(1, 3) AS h`,
      [id],
    );
    const replay = (...args: string[]) => run('deliveries', 'replay', 'QUEUE', ...args);
    const from = ['--from', '2027-08-02T08:00:00Z'];
    expect((await replay('--failed', ...from, '--to', '2027-08-02T09:00:00Z')).out).toBe('1\n');
    expect((await replay(...from)).out).toBe('3\n');
    expect((await replay('--from-delivery', '1')).out).toBe('2\n');
    expect(await served.world.deliveries(id, 'status:eq:waiting')).toHaveLength(6);
    await served.world.clear();
  });

  it.each([
    [['deliveries', 'list', 'NOWHERE'], 1, 'there is no endpoint NOWHERE\n'],
    [
      ['deliveries', 'list', 'ENGINE', '--state', 'lost'],
      2,
      'the state must be one of waiting, leased, delivered, failed\n',
    ],
    [
      ['deliveries', 'replay', 'ENGINE'],
      2,
      'name the deliveries, or give --failed, --from, --to or --from-delivery, but not both\n',
    ],
    [
      ['deliveries', 'replay', 'ENGINE', '7', '--from', 'Monday', '--from-delivery', 'x'],
      2,
      'name the deliveries, or give --failed, --from, --to or --from-delivery, but not both; deliveries are named by their ids; --from must be a timestamp such as 2026-11-21T14:30:00.000Z or with an offset such as +02:00\n',
    ],
  ])('%j fails with one line', async (args, code, error) => {
    expect(await run(...args)).toEqual({ code, out: '', error });
  });
});
