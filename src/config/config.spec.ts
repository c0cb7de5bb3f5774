import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';

const URL_WITHOUT = 'postgresql://platform@database/platform';
const connectionOf = (env: Record<string, string>) => loadConfig(env).database;

describe('DATABASE_PASSWORD', () => {
  it.each([
    ['plain', 'postgresql://platform:plain@database/platform'],
    ['a/b+c=@:%41 é', 'postgresql://platform:a%2Fb%2Bc%3D%40%3A%2541%20%C3%A9@database/platform'],
  ])('%j goes into the address', (DATABASE_PASSWORD, url) => {
    expect(connectionOf({ DATABASE_URL: URL_WITHOUT, DATABASE_PASSWORD })).toEqual({ url });
  });

  it('is read from a file, without the end of its line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-config-'));
    const file = join(folder, 'password');
    writeFileSync(file, 'from-file\n');
    const env = { DATABASE_URL: URL_WITHOUT, DATABASE_PASSWORD_FILE: file };
    expect(connectionOf(env)).toEqual({
      url: 'postgresql://platform:from-file@database/platform',
    });
    rmSync(folder, { recursive: true });
  });

  it.each([{}, { DATABASE_URL: 'postgresql://platform:other@database/platform' }])(
    'is a mistake with %j',
    (env) => {
      expect(() => loadConfig({ ...env, DATABASE_PASSWORD: 'x' })).toThrow(
        'DATABASE_PASSWORD: requires a DATABASE_URL without a password',
      );
    },
  );
});
