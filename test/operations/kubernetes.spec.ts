import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { variables } from '../../src/base/config/config.js';

/** Checks deploy/kubernetes without a cluster (docs/deployment.md). */

const FOLDER = 'deploy/kubernetes';

interface Container {
  name: string;
  env: { name: string; valueFrom?: { secretKeyRef: { key: string } } }[];
  securityContext: object;
  resources: { limits: { memory: string } };
  livenessProbe?: { httpGet: { path: string } };
  readinessProbe?: { httpGet: { path: string } };
  startupProbe?: { httpGet: { path: string } };
}
const { spec } = parse(readFileSync(`${FOLDER}/deployment.yaml`, 'utf8')) as {
  spec: {
    replicas: number;
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        automountServiceAccountToken: boolean;
        securityContext: object;
        initContainers: Container[];
        containers: Container[];
      };
    };
  };
};
const pod = spec.template.spec;
const [migrate] = pod.initContainers as [Container];
const [server] = pod.containers as [Container];
const { configMapGenerator, resources } = parse(
  readFileSync(`${FOLDER}/kustomization.yaml`, 'utf8'),
) as { configMapGenerator: { literals: string[] }[]; resources: string[] };
const settings = Object.fromEntries(
  configMapGenerator[0]!.literals.map((literal) => literal.split('=') as [string, string]),
);

describe('the Kustomize base', () => {
  it('sets variables that the server knows', () => {
    const given = [
      ...Object.keys(settings),
      ...[migrate, server].flatMap(({ env }) => env.map(({ name }) => name)),
    ];
    expect(given.filter((name) => !(name in variables.shape))).toEqual([]);
    expect(variables.parse(settings)).toMatchObject({ DRAIN_SECONDS: 15, METRICS_PORT: 9400 });
  });

  it('keeps to the restricted profile of the pod security standards', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of [migrate, server])
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  it('gives the owner of the tables to the migration alone', () => {
    const keysOf = ({ env }: Container) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef.key);
    expect(keysOf(migrate)).toContain('owner-database-url');
    expect(keysOf(server)).not.toContain('owner-database-url');
  });

  it('waits for the end of a server for longer than it takes, and keeps one of two', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(settings.DRAIN_SECONDS) + 8);
    expect(spec.replicas).toBe(2);
    expect(parse(readFileSync(`${FOLDER}/disruption-budget.yaml`, 'utf8'))).toMatchObject({
      spec: { minAvailable: 1 },
    });
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
      rendered = execFileSync('kubectl', ['kustomize', FOLDER], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return void process.stderr.write('\nSKIPPED: no kubectl on this machine\n\n');
    }
    const kinds = parseAllDocuments(rendered).map((one) => one.get('kind'));
    expect(kinds).toHaveLength(resources.length + 1);
    expect(kinds).toEqual(expect.arrayContaining(['ConfigMap', 'Deployment', 'NetworkPolicy']));
  });
});
