// Builds dist/ unless it is already newer than everything it is made from, so that a second start
// does not wait for the compiler.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STAMP = 'dist/.built';
const SOURCES = ['src', 'migrations', 'web', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** When a file, or the newest file or folder below a folder, was last changed (milliseconds). */
function changed(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))));
}

/** Runs a compiler, or ends with its exit code. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const isFresh = existsSync(STAMP) && statSync(STAMP).mtimeMs > Math.max(...SOURCES.map(changed));
if (!isFresh) {
  console.error('building …');
  rmSync('dist', { recursive: true, force: true });
  const started = Date.now();
  run(join('node_modules', '@nestjs', 'cli', 'bin', 'nest.js'), 'build');
  run(join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--logLevel', 'warn');
  mkdirSync('dist', { recursive: true });
  writeFileSync(STAMP, '');
  console.error(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
