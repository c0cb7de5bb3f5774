import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** The scripts of docs/backup.md, as a timer runs them. */

const RECIPIENT = 'ops@example.com';
const hasGpg = (() => {
  try {
    return execFileSync('gpg', ['--version']).length > 0;
  } catch {
    process.stderr.write('\nSKIPPED: no gpg (Debian: gnupg) on this machine\n\n');
    return false;
  }
})();

let folder: string;
let database: TestDatabase;
let drill: TestDatabase;

const run = (script: string, env: Record<string, string>) =>
  new Promise<{ code: number | null; out: string; error: string }>((done) => {
    const child = spawn(`deploy/${script}`, [], {
      env: {
        PATH: process.env.PATH,
        GNUPGHOME: join(folder, 'keys'),
        BACKUP_FOLDER: folder,
        ...env,
      },
    });
    let [out, error] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
    child.on('close', (code) => done({ code, out, error }));
  });

(hasGpg ? describe : describe.skip)('an encrypted backup', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'process-platform-recipe-'));
    execFileSync('mkdir', ['-m', '700', join(folder, 'keys')]);
    execFileSync(
      'gpg',
      ['--batch', '--passphrase', '', '--quick-generate-key', RECIPIENT, 'default', 'default'],
      { env: { ...process.env, GNUPGHOME: join(folder, 'keys') }, stdio: 'ignore' },
    );
    database = await createTestDatabase();
    drill = await createTestDatabase({ empty: true });
  });
  afterAll(async () => {
    execFileSync('gpgconf', ['--kill', 'gpg-agent'], {
      env: { ...process.env, GNUPGHOME: join(folder, 'keys') },
    });
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
    await drill.drop();
  });

  it('carries its schema in its name, is copied, and shows nothing without the key', async () => {
    const copies = join(folder, 'elsewhere');
    execFileSync('mkdir', [copies]);
    const { code, out, error } = await run('backup.sh', {
      DATABASE_URL: urlOf(database.connection),
      BACKUP_RECIPIENT: RECIPIENT,
      BACKUP_COPY: `cp -t ${copies}`,
    });
    expect([code, error]).toEqual([0, expect.any(String)]);
    const [name] = readdirSync(copies);
    expect(name).toMatch(/^platform-\d{8}T\d{6}Z-schema-\d{13}\.backup\.gpg$/);
    expect(out.trim()).toBe(join(folder, name!));
    expect(readFileSync(join(folder, name!)).includes('alice.martin')).toBe(false);
  });

  it('is restored by the drill, with every row', async () => {
    const restored = await run('restore-drill.sh', { DATABASE_URL: urlOf(drill.connection) });
    expect([restored.code, restored.error]).toEqual([0, expect.any(String)]);
    const sizes = `SELECT (SELECT count(*)::integer FROM users) AS users, (SELECT count(*)::integer FROM tasks) AS tasks,
      (SELECT count(*)::integer FROM photos) AS photos`;
    expect(await drill.query(sizes)).toEqual(await database.query(sizes));
  });

  it('fails the drill without the key', async () => {
    const { code, error } = await run('restore-drill.sh', {
      DATABASE_URL: urlOf(drill.connection),
      GNUPGHOME: mkdtempSync(join(folder, 'no-key-')),
    });
    expect([code === 0, error]).toEqual([false, expect.stringContaining('decryption failed')]);
  });
});
