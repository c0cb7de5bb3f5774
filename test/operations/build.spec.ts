import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

/** `scripts/build.mjs` in a folder with compilers that only write a file each. */

let folder: string;
const write = (file: string, text: string): void => {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** A compiler that copies `source` to `output`; `then` is what it does besides. */
const compiler = (source: string, output: string, then = ''): string => `
  const { cpSync } = require('node:fs');
  cpSync('${source}', '${output}', { recursive: true });
  ${then}`;
const SETTINGS = [
  ...['package.json', 'package-lock.json', 'nest-cli.json'],
  ...['tsconfig.json', 'tsconfig.build.json'],
];
const NEST = 'node_modules/@nestjs/cli/bin/nest.js';
const VITE = 'node_modules/vite/bin/vite.js';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-'));
  write('src/cli.js', 'the server');
  write('src/deep/part.js', 'a part');
  write('migrations/first.js', 'a migration');
  write('migrations/functions/first.sql', 'a function');
  write('web/index.html', 'a page');
  for (const file of SETTINGS) write(file, '{}');
  write('scripts/describe-api.mjs', '');
  write(NEST, compiler('src', 'dist/src'));
  write(VITE, compiler('web', 'dist/pages'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script; says whether it has built, and how it ended. */
function build(): { hasBuilt: boolean; status: number | null } {
  const script = resolve('scripts/build.mjs');
  const { stderr, status } = spawnSync(process.execPath, [script], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { hasBuilt: stderr.includes('building'), status };
}
const BUILT = { hasBuilt: true, status: 0 };
const SKIPPED = { hasBuilt: false, status: 0 };
const FAILED = { hasBuilt: true, status: 3 };

/** Gives a file another text of the same length and the same times. */
function changeSecretly(file: string): void {
  const path = join(folder, file);
  const old = new Date('2020-01-01');
  writeFileSync(path, readFileSync(path, 'utf8').toUpperCase());
  utimesSync(path, old, old);
}

describe('npm run build', () => {
  it('skips steps that are up to date, even when the files look newer', () => {
    expect(build()).toEqual(BUILT);
    expect(build()).toEqual(SKIPPED);
    const tomorrow = new Date(Date.now() + 86_400_000);
    utimesSync(join(folder, 'src/deep/part.js'), tomorrow, tomorrow);
    expect(build()).toEqual(SKIPPED);
  });

  it.each<[string, () => void]>([
    ['a changed file that looks older', () => changeSecretly('src/deep/part.js')],
    ['a changed page', () => write('web/index.html', 'another page')],
    ['a new file', () => write('src/deep/new.js', '')],
    ['a deleted file', () => rmSync(join(folder, 'migrations/first.js'))],
    ['another package', () => write('package-lock.json', '{"packages":{}}')],
    ['other settings of the compiler', () => write('tsconfig.build.json', '{ }')],
    ['no dist', () => rmSync(join(folder, 'dist'), { recursive: true })],
    ['a deleted file of dist', () => rmSync(join(folder, 'dist/pages/index.html'))],
    ['a file of dist that was cut', () => write('dist/src/cli.js', '')],
  ])('builds after %s', (_, change) => {
    expect(build()).toEqual(BUILT);
    change();
    expect(build()).toEqual(BUILT);
    expect(build()).toEqual(SKIPPED);
  });

  it('builds again after a failure, and leaves nothing of the former build', () => {
    expect(build()).toEqual(BUILT);
    write('src/cli.js', 'a mistake');
    write(NEST, 'process.exit(3)');
    expect(build()).toEqual(FAILED);
    expect(build()).toEqual(FAILED);
    rmSync(join(folder, 'src/deep'), { recursive: true });
    write('scripts/describe-api.mjs', '');
    write(NEST, compiler('src', 'dist/src'));
    expect(build()).toEqual(BUILT);
    expect(() => readFileSync(join(folder, 'dist/src/deep/part.js'))).toThrow('ENOENT');
  });

  it('builds again when a file changed during a build', () => {
    const change = `require('node:fs').writeFileSync('src/deep/part.js', 'changed meanwhile')`;
    write(NEST, compiler('src', 'dist/src', change));
    expect(build()).toEqual(BUILT);
    expect(build()).toEqual(BUILT);
    expect(build()).toEqual(SKIPPED);
  });
});
