// Builds dist/ unless it is the build of exactly these sources, so that a second start does not wait for the compiler.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const STAMP = 'dist/.built';
/** All that decides what a build contains; the lock file stands for `node_modules`. */
const SOURCES = [
  'src',
  'migrations',
  'web',
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/describe-api.mjs',
];
/** What a build writes; the compiler of tests and benchmarks adds folders of its own. */
const OUTPUTS = [
  'dist/src',
  'dist/migrations',
  'dist/pages',
  'dist/page-licenses.json',
  'dist/openapi.json',
  'dist/openapi.d.ts',
];

/** The files at a path or below it, in a fixed order. */
function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

/** A digest of the names of files and of what `read` says of each. */
function digestOf(paths, read) {
  const hash = createHash('sha256').update(process.version);
  for (const file of paths.flatMap(filesOf)) hash.update(`\0${file}\0`).update(read(file));
  return hash.digest('hex');
}

/**
 * The contents of the sources, because their times say too little: `cp -p`, an archive and a wrong clock make a newer
 * file look older, a change during a build is older than the stamp, and a checkout makes an equal file look newer.
 */
const sources = () => digestOf(SOURCES, (file) => readFileSync(file));

/** The sizes of the outputs show that one was deleted or cut. */
const outputs = () => digestOf(OUTPUTS, (file) => String(statSync(file).size));

/** Runs a compiler in a process of its own; resolves with its exit code. */
const run = (...args) =>
  new Promise((resolve) => {
    spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', (status) =>
      resolve(status ?? 1),
    );
  });

const built = sources();
const isFresh = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === `${built} ${outputs()}\n`;
if (!isFresh) {
  console.error('building …');
  rmSync('dist', { recursive: true, force: true });
  const started = Date.now();
  const statuses = await Promise.all([
    run(join('node_modules', '@nestjs', 'cli', 'bin', 'nest.js'), 'build').then(
      (status) => status || run(join('scripts', 'describe-api.mjs')),
    ),
    run(join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--logLevel', 'warn'),
  ]);
  const failed = statuses.find((status) => status !== 0);
  if (failed !== undefined) process.exit(failed);
  cpSync('migrations/functions', 'dist/migrations/functions', { recursive: true });
  chmodSync('dist/src/cli.js', 0o755); // npx sets it once, and a build replaces the file
  writeFileSync(STAMP, `${built} ${outputs()}\n`);
  console.error(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
