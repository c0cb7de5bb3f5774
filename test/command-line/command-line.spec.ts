import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { leavesOf, makeProgram } from '../../src/command-line/program.js';
import { useCommandLine } from '../support/command-line.js';

const served = useCommandLine();
const { run } = served;

describe('process-platform', () => {
  it('is executable after a build, so that npx can run it', () => {
    expect(statSync('dist/src/cli.js').mode & 0o777).toBe(0o755);
  });

  it('prints its help with all commands', async () => {
    const help = await run(['--help']);
    expect([help.code, help.error]).toEqual([0, '']);
    for (const command of [
      'serve',
      'migrate',
      'seed',
      'parameters',
      'addresses',
      'users',
      'tokens',
    ])
      expect(help.out).toContain(`\n  ${command} `);
    const unknown = await run(['fly']);
    expect(unknown.code).toBe(2);
    expect(unknown.error).toContain(`unknown command 'fly'`);
  });

  it.each([[['migrate', 'plan']], [['parameters', 'list', '--json']], [['audit', 'export']]])(
    '%j ends without an error when its reader has closed the output',
    async (args) => {
      // An export that takes long shows its progress.
      const error = expect.stringMatching(/^(exporting audit: .+\n)*$/);
      expect(await run(args, { closesOutput: true })).toEqual({ code: 0, out: '', error });
    },
  );

  it('prints the help of every command', () => {
    const explained = leavesOf(makeProgram(() => Promise.resolve()));
    expect(explained.length).toBeGreaterThan(10);
    for (const command of explained) {
      expect([command.name(), command.description()]).toEqual([
        command.name(),
        expect.stringMatching(/^[a-z].{10}/),
      ]);
      expect(command.helpInformation()).toContain('Usage: process-platform ');
    }
  });

  it.each([[['seed'], 'nothing to seed: use --folder or --demo\n']])(
    '%j is misuse',
    async (args, error) => {
      expect(await run(args)).toEqual({ code: 2, out: '', error });
    },
  );

  it.each([
    [['import', 'users', '/nowhere.csv'], '/nowhere.csv: no such file or folder\n'],
    [['import', 'users', '/', '--format', 'csv'], '/: is a folder\n'],
    [
      ['export', 'users', '/nowhere/users.csv'],
      '/nowhere/users.csv.partial: no such file or folder\n',
    ],
    [['backup', '/nowhere/backup'], '/nowhere/backup.partial: no such file or folder\n'],
    [['restore', '/nowhere.backup', '--force'], '/nowhere.backup: no such file or folder\n'],
    [['seed', '--folder', '/nowhere'], '/nowhere: no such file or folder\n'],
  ])('says why %j cannot use its file', async (args, error) => {
    expect(await run(args)).toEqual({ code: 1, out: '', error });
  });

  it('reports an unreachable database, and one without tables', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-cli-'));
    const away = await run(['parameters', 'list'], {
      env: { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' },
    });
    expect([away.code, away.out]).toEqual([1, '']);
    expect(away.error).toMatch(
      /^The database cannot be reached: .*ECONNREFUSED.*Check DATABASE_URL\.\n$/,
    );
    const fresh = await run(['parameters', 'list'], { cwd: folder, env: { DATABASE_URL: '' } });
    expect(fresh).toEqual({
      code: 1,
      out: '',
      error:
        'the database has no tables yet: start the server, or run process-platform migrate run\n',
    });
    rmSync(folder, { recursive: true, force: true });
  }, 300_000);
});
