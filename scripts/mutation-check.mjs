// Checks that the tests detect mistakes: plants the deliberate mistakes of `mutations.tsv` one at a time in a copy of
// the sources and runs the test file that must fail. `node scripts/mutation-check.mjs [word …]` selects the mistakes
// whose line contains every word. It takes minutes, so it is not part of `npm test`.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const words = process.argv.slice(2);
const mistakes = readFileSync('scripts/mutations.tsv', 'utf8')
  .split('\n')
  .filter(
    (line) => line !== '' && !line.startsWith('#') && words.every((word) => line.includes(word)),
  )
  .map((line) => {
    const [name, file, text, replacement, spec] = line.split('\t');
    return { name, file, text, replacement, spec };
  });
const folder = mkdtempSync(join(tmpdir(), 'process-platform-mistakes-'));
const report = join(folder, 'jest.json');
const sources = readdirSync('src', { recursive: true }).map((path) => join('src', path));
try {
  run('npm', ['run', '--silent', 'build'], process.cwd());
  cpSync(process.cwd(), folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !['node_modules', '.git', '.data', 'coverage'].includes(basename(path)),
  });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  // One database serves all runs.
  const { default: settings } = await import(join(folder, 'jest.config.js'));
  const { default: setUp } = await import(settings.globalSetup.replace('<rootDir>', folder));
  await setUp();
  const without = failuresOf(mistakes.map(({ spec }) => spec));
  let missed = 0;
  for (const mistake of mistakes) {
    const problem = plant(mistake, without);
    if (problem !== undefined) missed += 1;
    const { name, file, spec } = mistake;
    console.log(
      `${problem === undefined ? 'red   ' : 'MISSED'} ${name} (${file}, ${problem ?? spec})`,
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

/** Returns why a mistake was not detected, or nothing when its test file passes without it and fails with it. */
function plant({ file, text, replacement, spec }, without) {
  // Formatting may break a text at another blank.
  const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+');
  const places = sources
    .filter((path) => basename(path) === file)
    .flatMap((path) => {
      const source = readFileSync(path, 'utf8');
      return [...source.matchAll(new RegExp(pattern, 'g'))].map(([found]) => ({
        path,
        source,
        found,
      }));
    });
  if (places.length !== 1) return `${places.length} times in src/: ${text}`;
  if (without.get(spec) !== 0) return `without it, ${spec} fails or is missing`;
  const [{ path, source, found }] = places;
  writeFileSync(
    join(folder, path),
    source.replace(found, () => replacement),
  );
  try {
    const failures = failuresOf([spec]).get(spec);
    if (failures === 0) return `with it, ${spec} passes`;
    return Number.isNaN(failures) ? `with it, ${spec} does not start` : undefined;
  } finally {
    writeFileSync(join(folder, path), source);
  }
}

/** The number of failed tests of each test file: NaN where it did not start, nothing where its run was ended. */
function failuresOf(specs) {
  rmSync(report, { force: true });
  const files = [...new Set(specs)].map((spec) => `/${spec}(\\.long)?\\.spec\\.ts$`);
  spawnSync(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      '--json',
      '--forceExit', // A failed test may leave a server running.
      `--outputFile=${report}`,
      '--testMatch=**/*.spec.ts',
      '--testPathPatterns',
      ...files,
    ],
    { cwd: folder, stdio: 'ignore', env: { ...process.env, FUZZ_SEED: '1' } },
  );
  if (!existsSync(report)) return new Map();
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return new Map(
    testResults.map(({ name, status, assertionResults }) => [
      specs.find((spec) => name.replace('.long.spec', '.spec').endsWith(`/${spec}.spec.ts`)),
      status === 'passed'
        ? 0
        : assertionResults.filter((test) => test.status === 'failed').length || NaN,
    ]),
  );
}

function run(command, parameters, cwd) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${status}`);
}
