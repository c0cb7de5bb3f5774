import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { variables } from '../../src/base/config/config.js';

/** Checks deploy/helm and deploy/kubernetes without a cluster (docs/deployment.md). */

const CHART = 'deploy/helm';
const BASE = 'deploy/kubernetes';
/** Values that use everything the chart has. */
const EVERYTHING = [
  ...['--set', 'image.repository=registry.example.com/platform', '--set', 'image.tag=1.0.1'],
  ...['--set', 'imagePullSecrets[0].name=registry', '--set', 'replicas=3'],
  ...['--set', 'drainSeconds=40', '--set', 'databaseCaSecret=database-ca'],
  ...['--set', 'environment.BASE_PATH=/platform', '--set', 'environment.LOG_LEVEL=warn'],
  ...['--set-string', 'environment.WEB_CONCURRENCY=2'],
];
/** Types of Kubernetes by kind, in the package kubernetes-types. */
const TYPES: Record<string, string> = {
  ConfigMap: 'core/v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'core/v1',
};

interface Container {
  name: string;
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }[];
  securityContext: object;
  livenessProbe?: { httpGet: { path: string } };
  readinessProbe?: { httpGet: { path: string } };
  startupProbe?: { httpGet: { path: string } };
}
interface Pod {
  terminationGracePeriodSeconds: number;
  automountServiceAccountToken: boolean;
  securityContext: object;
  initContainers: Container[];
  containers: Container[];
}
interface Manifest {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec: { replicas: number; minAvailable: number; template: { spec: Pod } };
}

const manifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((one) => one.toJS() as Manifest);
const of = (kind: string, all: Manifest[]): Manifest => all.find((one) => one.kind === kind)!;
const podOf = (kind: string, all: Manifest[]): Pod => of(kind, all).spec.template.spec;
const namesOf = ({ env }: Container): string[] => env.map(({ name }) => name);
const keysOf = ({ env }: Container) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef.key);

const base = manifests(readFileSync(`${BASE}/platform.yaml`, 'utf8'));
const { configMapGenerator } = parse(readFileSync(`${BASE}/kustomization.yaml`, 'utf8')) as {
  configMapGenerator: { literals: string[] }[];
};
const settings = Object.fromEntries(
  configMapGenerator[0]!.literals.map((literal) => literal.split('=') as [string, string]),
);

function checkRestricted({
  automountServiceAccountToken,
  securityContext: ofPod,
  initContainers = [],
  containers,
}: Partial<Pod> & Pick<Pod, 'containers'>): void {
  expect(ofPod).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  for (const { securityContext } of [...initContainers, ...containers])
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  expect(automountServiceAccountToken).toBe(false);
}

describe('the Kustomize base', () => {
  const pod = podOf('Deployment', base);
  const [migrate] = pod.initContainers as [Container];
  const [server] = pod.containers as [Container];

  it('sets variables that the server knows', () => {
    const given = [...Object.keys(settings), ...[migrate, server].flatMap(namesOf)];
    expect(given.filter((name) => !(name in variables.shape))).toEqual([]);
    expect(variables.parse(settings)).toMatchObject({ DRAIN_SECONDS: 15, METRICS_PORT: 9400 });
  });

  it('keeps to the restricted profile of the pod security standards', () => checkRestricted(pod));

  it('gives the owner of the tables to the migration alone', () => {
    expect(keysOf(migrate)).toContain('owner-database-url');
    expect(keysOf(server)).not.toContain('owner-database-url');
  });

  it('waits for the end of a server for longer than it takes, and keeps one of two', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(settings.DRAIN_SECONDS) + 8);
    expect(of('Deployment', base).spec.replicas).toBe(2);
    expect(of('PodDisruptionBudget', base).spec.minAvailable).toBe(1);
  });

  it('asks three probes of paths that need no token', () => {
    const { startupProbe, livenessProbe, readinessProbe } = server;
    expect(
      [startupProbe, livenessProbe, readinessProbe].map((probe) => probe!.httpGet.path),
    ).toEqual(['/health/live', '/health/live', '/health/ready']);
  });

  it('is rendered by kubectl, with all its objects', () => {
    let rendered: string;
    try {
      rendered = execFileSync('kubectl', ['kustomize', BASE], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return void process.stderr.write('\nSKIPPED: no kubectl on this machine\n\n');
    }
    const kinds = manifests(rendered).map(({ kind }) => kind);
    expect(kinds).toHaveLength(base.length + 1);
    expect(kinds).toEqual(expect.arrayContaining(['ConfigMap', 'Deployment', 'NetworkPolicy']));
  });
});

it('gives the chart the version of the server', () => {
  const { version } = parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(parse(readFileSync(`${CHART}/Chart.yaml`, 'utf8'))).toMatchObject({
    version,
    appVersion: version,
  });
});

const helm = spawnSync('helm', ['version']).status === 0;
if (!helm) process.stderr.write('\nSKIPPED: no helm on this machine renders deploy/helm\n\n');
(helm ? describe : describe.skip)('the chart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (...given: string[]) => spawnSync('helm', given, { encoding: 'utf8' });
  function render(...given: string[]): Manifest[] {
    const { status, stdout, stderr } = run('template', 'process-platform', CHART, ...given);
    expect([status, stderr]).toEqual([0, '']);
    return manifests(stdout);
  }

  it('is the source of the Kustomize base (npm run docs:kubernetes)', () => {
    const rendered = render('--set', 'migration=initContainer');
    const { data } = of('ConfigMap', rendered);
    const others = rendered.filter(({ kind }) => kind !== 'ConfigMap');
    const sorted = (all: Manifest[]) => all.sort((a, b) => a.kind.localeCompare(b.kind));
    expect(sorted(others)).toEqual(sorted([...base]));
    expect(data).toEqual(settings);
  });

  it('migrates in a job before the roll-out, with the variables of the servers', () => {
    const rendered = render(...EVERYTHING);
    const { metadata, spec } = of('Job', rendered);
    expect(metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const [migrate] = spec.template.spec.containers as [Container];
    expect(keysOf(migrate)).toContain('owner-database-url');
    const { data } = of('ConfigMap', rendered);
    expect(Object.fromEntries(migrate.env.map(({ name, value }) => [name, value]))).toMatchObject(
      data!,
    );
    expect(variables.parse(data)).toMatchObject({ DRAIN_SECONDS: 40, WEB_CONCURRENCY: 2 });
    expect(podOf('Deployment', rendered).initContainers).toBeUndefined();
    checkRestricted(spec.template.spec);
  });

  it('follows the context path and the drain', () => {
    const { containers, terminationGracePeriodSeconds } = podOf(
      'Deployment',
      render(...EVERYTHING),
    );
    expect(containers[0]!.readinessProbe!.httpGet.path).toBe('/platform/health/ready');
    expect(terminationGracePeriodSeconds).toBeGreaterThan(40 + 8);
  });

  it('makes no secret', () => {
    expect(
      render(...EVERYTHING)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(Object.keys(TYPES).sort());
  });

  it.each([
    ['one server', 'replicas=1', '/replicas'],
    ['a name that it does not know', 'replica=3', 'replica'],
    ['a secret among the variables', 'environment.SECRETS_KEY=x', 'SECRETS_KEY'],
    ['a variable that it sets itself', 'environment.METRICS_PORT=1', 'METRICS_PORT'],
    ['a number as a variable', 'environment.WEB_CONCURRENCY=2', 'WEB_CONCURRENCY'],
    ['an empty name of the secret', 'existingSecret=', '/existingSecret'],
    ['another way to migrate', 'migration=later', '/migration'],
  ])('refuses %s', (_, value, place) => {
    const { status, stderr } = run('template', 'process-platform', CHART, '--set', value);
    expect([status, stderr]).toEqual([1, expect.stringContaining(place)]);
  });

  it('has only what the types of Kubernetes have, and no fault that Helm finds', () => {
    expect(run('lint', '--strict', CHART)).toMatchObject({ status: 0 });
    const types = resolve('node_modules/kubernetes-types');
    const checked = [...base, ...render(...EVERYTHING)].map(
      (one, index) =>
        `export const one${index}: import('${types}/${TYPES[one.kind]}').${one.kind} = ${JSON.stringify(one)};`,
    );
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, checked.join('\n'));
    const tsc = ['node_modules/typescript/bin/tsc', '--ignoreConfig', '--noEmit', '--strict'];
    const { status, stdout } = spawnSync(process.execPath, [...tsc, file], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '']);
  }, 60_000);
});
