// Checks that the tests detect mistakes: plants one deliberate mistake at a time in a copy of the sources and runs
// the one test that must fail, by its name. `node scripts/mutation-check.mjs [word …]` selects mistakes whose file or
// name contains every word. It takes minutes, so it is not part of `npm test`.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MUTATIONS } from './mutations.mjs';

const COPIED = [
  'src',
  'migrations',
  'test',
  'bench',
  'scripts',
  'web',
  'dist',
  'docs',
  'README.md',
];
const SETTINGS = ['package.json', 'package-lock.json', 'jest.config.js', 'nest-cli.json'];
const COMPILER = ['tsconfig.json', 'tsconfig.build.json'];

const words = process.argv.slice(2);
const mistakes = MUTATIONS.filter(({ file, name }) =>
  words.every((word) => `${file} ${name}`.includes(word)),
);
const folder = mkdtempSync(join(tmpdir(), 'process-platform-mistakes-'));
const report = join(folder, 'jest.json');
try {
  run('npm', ['run', '--silent', 'build'], process.cwd());
  for (const path of [...COPIED, ...SETTINGS, ...COMPILER])
    cpSync(path, join(folder, path), { recursive: true, preserveTimestamps: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  await startTestDatabase();
  const without = statusesOf(mistakes);
  let missed = 0;
  for (const mistake of mistakes) {
    const found = plant(mistake, without);
    if (found !== undefined) missed += 1;
    console.log(`${found === undefined ? 'red   ' : 'MISSED'} ${mistake.name}`);
    console.log(
      `         ${mistake.test}: ${mistake.title}${found === undefined ? '' : `\n         ${found}`}`,
    );
  }
  console.log(
    `\n${mistakes.length - missed} of ${mistakes.length} planted mistakes are seen by their test`,
  );
  process.exitCode = missed > 0 ? 1 : 0;
} finally {
  await globalThis.stopTestDatabase?.();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the database of all test runs that use the build without a mistake. */
async function startTestDatabase() {
  const { default: setUp } = await import(join(folder, 'test', 'global-setup.mjs'));
  await setUp();
}

/** Returns why a mistake was not detected, or nothing when its test passes without it and fails with it. */
function plant(mistake, without) {
  const { file, search, replacement, title, built = false } = mistake;
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(search).length !== 2) return `${file} does not hold exactly once: ${search}`;
  if (without.get(title) !== 'passed') return `without it the test is ${without.get(title)}`;
  const mistaken = source.replace(search, () => replacement);
  writeFileSync(path, mistaken);
  try {
    // Tests that start the server as a process run the build.
    if (built) run('node', ['scripts/build.mjs'], folder);
    const after = statusesOf([mistake], built).get(title);
    return after === 'failed' ? undefined : `with it the test is ${after}`;
  } finally {
    writeFileSync(path, source);
    if (built) {
      rmSync(join(folder, 'dist'), { recursive: true });
      cpSync('dist', join(folder, 'dist'), { recursive: true, preserveTimestamps: true });
    }
  }
}

/**
 * The results of the tests of some mistakes, by their full names: `passed`, `failed`, or nothing.
 * @param hasOwnDatabase whether the run migrates a database of its own, by the migrations of the mistaken build
 */
function statusesOf(some, hasOwnDatabase = false) {
  const titles = some.map(({ title }) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const files = [...new Set(some.map(({ test }) => test))];
  rmSync(report, { force: true });
  const options = [
    '--json',
    // A failed test may leave a server running.
    '--forceExit',
    `--outputFile=${report}`,
    '--testNamePattern',
    `^(${titles.join('|')})$`,
    ...files,
  ];
  const { TEST_DATABASE, ...environment } = process.env;
  const database = hasOwnDatabase ? {} : { TEST_DATABASE };
  spawnSync(
    process.execPath,
    ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...options],
    { cwd: folder, stdio: 'ignore', env: { ...environment, ...database, FUZZ_SEED: '1' } },
  );
  // A mistake that ends the test process itself counts as detected.
  if (!existsSync(report)) return new Map(some.map(({ title }) => [title, 'failed']));
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const asserted = testResults.flatMap(({ assertionResults }) => assertionResults);
  return new Map(asserted.map(({ fullName, status }) => [fullName, status]));
}

function run(command, parameters, cwd) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}`);
}
