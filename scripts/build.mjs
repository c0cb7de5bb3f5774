// Builds dist/ unless it is newer than all its sources, so that a second start does not wait for the compiler.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STAMP = 'dist/.built';
const SOURCES = [
  'src',
  'migrations',
  'web',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** The time of the last change of a file, or of anything below a folder, in milliseconds. */
function changed(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))));
}

/** Runs a compiler in a process of its own; resolves with its exit code. */
const run = (...args) =>
  new Promise((resolve) => {
    spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', (status) =>
      resolve(status ?? 1),
    );
  });

const isFresh = existsSync(STAMP) && statSync(STAMP).mtimeMs > Math.max(...SOURCES.map(changed));
if (!isFresh) {
  console.error('building …');
  rmSync('dist', { recursive: true, force: true });
  const started = Date.now();
  const statuses = await Promise.all([
    run(join('node_modules', '@nestjs', 'cli', 'bin', 'nest.js'), 'build'),
    run(join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--logLevel', 'warn'),
  ]);
  const failed = statuses.find((status) => status !== 0);
  if (failed !== undefined) process.exit(failed);
  chmodSync('dist/src/cli.js', 0o755); // npx sets it once, and a build replaces the file
  writeFileSync(STAMP, '');
  console.error(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
