import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../support/command-line.js';

const served = useCommandLine();
const { run } = served;

interface Line {
  id: string;
  creationDate: string;
  action: string;
  objectUri: string | null;
  after: unknown;
}

const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('audit export', () => {
  it('writes every line once, the oldest first, and records the export', async () => {
    await served.server.database.query(
      `INSERT INTO audit (action, object_uri, after) SELECT 'seed', '/x/' || n, '{"n": 1}' FROM generate_series(1, 2500) AS n`,
    );
    const stored = await served.server.database.query<{ id: string }>(
      'SELECT id::text FROM audit a ORDER BY a.date, a.id',
    );
    const { code, out, error } = await run(['audit', 'export']);
    expect([code, error]).toEqual([0, expect.stringMatching(/^exporting audit: \d+ in \S+ s\n$/)]);
    const lines = linesOf(out);
    expect(lines.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    expect(lines.find(({ objectUri }) => objectUri === '/x/1')).toMatchObject({
      creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      action: 'seed',
      after: { n: 1 },
    });
    const [last] = await served.server.database.query(
      'SELECT action, object_uri, after FROM audit ORDER BY id DESC LIMIT 1',
    );
    expect(last).toEqual({
      action: 'export',
      object_uri: '/administration/audit',
      after: { rows: stored.length },
    });
  });

  it('writes the lines of a time into a file as CSV', async () => {
    await served.server.database.query(
      `INSERT INTO audit (date, action, object_uri) SELECT '2020-01-01T00:00:00Z'::timestamptz + make_interval(mins => n), 'seed', '/old/' || n FROM generate_series(0, 3) AS n`,
    );
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-audit-'));
    const file = join(folder, 'audit.csv');
    const times = ['--since', '2020-01-01T00:01:00Z', '--until', '2020-01-01T01:03:00+01:00'];
    expect(await run(['audit', 'export', file, ...times])).toMatchObject({ code: 0, out: '' });
    const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);
    expect(header).toContain('id,creationDate,action,');
    expect(lines.map((line) => /\/old\/\d/.exec(line)?.[0])).toEqual(['/old/1', '/old/2']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });

  it('refuses what is no timestamp', async () => {
    expect(await run(['audit', 'export', '--since', 'yesterday'])).toMatchObject({
      code: 2,
      out: '',
      error: expect.stringMatching(/^--since /),
    });
  });
});

describe('completion bash', () => {
  it('completes commands, subcommands and options', async () => {
    const { out } = await run(['completion', 'bash']);
    const complete = (...words: string[]) =>
      execFileSync('bash', [
        '-c',
        `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _process_platform; echo "\${COMPREPLY[*]}"`,
        'bash',
        'process-platform',
        ...words,
      ])
        .toString()
        .trim();
    expect(complete('us')).toBe('users');
    expect(complete('users', '')).toBe(
      'list rights unlock reset-password reset-second-step erase export-personal-data invite',
    );
    expect(complete('users', 'list', '--a')).toBe('--administrators');
    expect(complete('backup', '--over')).toBe('--overwrite');
  });
});
