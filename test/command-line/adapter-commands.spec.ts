import { describe, expect, it } from '@jest/globals';
import type { CommandResult } from '../support/command-line.js';
import { useEndpointCommandLine } from '../support/endpoint-command-line.js';
import { ENDPOINTS } from '../support/endpoints.js';

/** Sources and the credentials of adapters on the command line (docs/command-line.md). */

const served = useEndpointCommandLine();
const run = (...args: string[]) => served.run(args);

describe('the command line', () => {
  it('sets the credentials of an adapter, whose secret it reads from standard input', async () => {
    const source = await served.world.call('POST', '/api/v2/process/sources', {
      label: 'Flowable',
      serviceAccount: 'process.engine',
    });
    const made = await served.world.call('POST', ENDPOINTS, {
      ...{ label: 'Flowable', reference: 'FLOW', mode: 'push', url: served.receiver.url },
      ...{ adapter: 'flowable', source: source.body.id },
    });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    const set = (input: string, ...args: string[]): Promise<CommandResult> =>
      served.run(['endpoints', 'credentials', 'FLOW', ...args], input);
    expect(await set('test\n', 'basic', '--user', 'rest-admin')).toEqual({
      code: 0,
      out: 'the credentials of FLOW are set\n',
      error: '',
    });
    const rows = JSON.parse((await run('endpoints', 'list', '--json')).out) as object[];
    expect(rows).toEqual([
      expect.objectContaining({ adapter: 'flowable', confirms: true, state: 'active' }),
    ]);
    for (const command of ['pause', 'resume'])
      expect((await run('endpoints', command, 'FLOW')).code).toBe(0);
    const state = async (): Promise<unknown> =>
      (JSON.parse((await run('endpoints', 'list', '--json')).out) as [{ state: string }])[0].state;
    expect(await state()).toBe('active');
    const moved = { op: 'replace', path: '/url', value: 'http://127.0.0.1:9/flowable-rest' };
    expect((await served.world.call('PATCH', `${ENDPOINTS}/FLOW`, [moved])).status).toBe(200);
    expect(await state()).toBe('no-secret');
    expect(await run('endpoints', 'test', 'FLOW')).toEqual({
      code: 1,
      out: '',
      error: 'The endpoint has no credentials with which it would sign in: set them\n',
    });
    expect((await set('test\n', 'basic', '--user', 'rest-admin')).code).toBe(0);
    expect(await state()).toBe('active');
    expect((await set('', 'basic', '--user', 'rest-admin')).code).toBe(1);
    expect((await set('', 'digest')).code).toBe(2);
    await served.world.clear();
    await served.world.call('DELETE', `/api/v2${source.body.uri}`);
  });

  it('imports the sources, and lists them', async () => {
    const input =
      'reference,label,serviceAccount,applications\nERP,The ERP,process.engine,PURCHASE;LEAVE\n';
    const imported = await served.run(
      ['import', 'sources', '-', '--format', 'csv', '--json'],
      input,
    );
    expect([imported.code, JSON.parse(imported.out)]).toMatchObject([0, [{ created: 1 }]]);
    const { out } = await run('sources', 'list', '--json');
    expect(JSON.parse(out)).toContainEqual({
      reference: 'ERP',
      label: 'The ERP',
      serviceAccount: 'process.engine',
      open: 0,
    });
    await served.world.server.database.query(`DELETE FROM sources WHERE reference = 'ERP'`);
  });

  it('lists the sources with their open tasks', async () => {
    const made = await served.world.call('POST', '/api/v2/process/sources', {
      reference: 'CRM',
      label: 'CRM',
      serviceAccount: 'process.engine',
    });
    expect(made.status).toBe(201);
    const { out } = await run('sources', 'list', '--json');
    expect(JSON.parse(out)).toEqual([
      { reference: 'CRM', label: 'CRM', serviceAccount: 'process.engine', open: 0 },
    ]);
  });
});
