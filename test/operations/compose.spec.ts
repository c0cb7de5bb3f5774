import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { CONNECTIONS_OF_PROCESS } from '../../src/database/connection-options.js';
import { loadConfig, SECRETS, variables } from '../../src/base/config/config.js';

/** Checks the compose files without a container engine; deploy/smoke.mjs checks running containers. */

interface Service {
  image: string;
  build?: { context: string; target: string };
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  ports?: string[];
  profiles?: string[];
  restart?: string;
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  mem_limit?: string;
  security_opt?: string[];
  network_mode?: string;
  volumes?: string[];
  stop_grace_period?: string;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: { default: { ipam: { config: { subnet: string; gateway: string }[] } } };
  secrets: Record<string, { file: string }>;
}

const read = (file: string): Compose =>
  parse(readFileSync(file, 'utf8'), { merge: true }) as Compose;
const FILES = ['docker-compose.yml', 'docker-compose.cluster.yml'];
const [base, cluster] = FILES.map(read) as [Compose, Compose];
/** All services; those of the same name in both files are compared below. */
const all: Record<string, Service> = { ...cluster.services, ...base.services };

const OURS = ['migrate', 'server', 'demo', 'audit', 'server-2'];
const ours = [base, cluster].flatMap(({ services }, index) =>
  OURS.filter((name) => name in services).map(
    (name) => [name, FILES[index]!, services[name]!] as const,
  ),
);
const NODES = ['database-1', 'database-2', 'database-3'];
const MEMBERS = ['etcd-1', 'etcd-2', 'etcd-3'];
const names = Object.keys(variables.shape);

/** The variables that the compose files do not pass, and why. */
const NOT_PASSED: Partial<Record<string, string>> = {
  HOST: 'the container listens on all its addresses',
  PORT: 'the image, the published port and the health check agree on 3000',
  TLS_CERT_FILE: 'names a file that an override mounts',
  TLS_KEY_FILE: 'names a file that an override mounts',
  HTTP_PORT: 'needs a published port of its own, in an override',
  DATABASE_CA_FILE: 'the database of the compose file is in the same private network',
  RUNTIME_ROLE: 'the owner of the tables migrates, and nothing else does',
  DEMO_DATA: 'the service demo seeds the demonstration portal',
  SEEDS_FOLDER: 'names a folder that an override mounts',
};
const gateway = base.networks.default.ipam.config[0]!.gateway;

/** Resolves `${NAME:-default}` as Compose does when no variable is set. */
const interpolated = (text: string): string =>
  text.replace(/\$\{\w+(?::-([^}]*))?\}/g, (_, byDefault: string | undefined) => byDefault ?? '');

describe.each(ours)('the service %s of %s', (name, _, service) => {
  const { environment = {} } = service;

  it('sets variables that the server knows', () => {
    const known = [...names, ...SECRETS.map((name) => `${name}_FILE`)];
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('has an environment without mistakes when .env sets nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-compose-'));
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'A-secret-of-the-test\n');
    const fileOf = (name: string): string =>
      base.secrets[name]!.file.includes(':?') ? secret : interpolated(base.secrets[name]!.file);
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.startsWith('/run/secrets/') ? fileOf(basename(value)) : interpolated(value),
      ]),
    );
    const config = loadConfig(env);
    // The servers connect as a role that owns nothing.
    const role = ['migrate', 'demo'].includes(name) ? 'platform' : 'platform_server';
    expect(config.database).toEqual({
      url: `postgresql://${role}:A-secret-of-the-test@database/platform`,
    });
    expect([config.env.HOST, config.env.PORT]).toEqual(['0.0.0.0', 3000]);
    rmSync(folder, { recursive: true });
  });

  it('reads its secrets from files, and has no rights that it does not need', () => {
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|KEY|TOKEN|SECRET/.test(name)) expect(value).toMatch(/^\/run\/secrets\/\w+$/);
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('runs a program that a build makes', () => {
    for (const words of [
      service.command ?? ['node', 'dist/src/main.js'],
      service.healthcheck?.test?.slice(1),
    ])
      if (words) expect([words[0], existsSync(words[1]!)]).toEqual(['node', true]);
  });
});

describe('docker-compose.yml', () => {
  it.each(['server', 'server-2'])('gives the service %s every variable but a few', (name) => {
    const given = Object.keys(all[name]!.environment!).map((one) => one.replace(/_FILE$/, ''));
    expect(names.filter((one) => !given.includes(one))).toEqual(Object.keys(NOT_PASSED));
  });

  it('starts nothing without the files of the passwords: none has a default', () => {
    const { replication_password, ...others } = cluster.secrets;
    expect(others).toEqual(base.secrets);
    const { owner_password, database_password, sysadmin_password, ...optional } = others;
    for (const secret of [
      owner_password,
      database_password,
      sysadmin_password,
      replication_password,
    ])
      expect(secret!.file).toMatch(/^\$\{\w+:\?[^}]+\}$/);
    expect(optional).toEqual({
      secrets_key: { file: '${SECRETS_KEY_FILE:-./deploy/no-secret}' },
      smtp_url: { file: '${SMTP_URL_FILE:-./deploy/no-secret}' },
    });
    for (const { services, secrets } of [base, cluster])
      for (const service of Object.values(services))
        for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret);
    expect(base.services.database!.environment).not.toHaveProperty('POSTGRES_PASSWORD');
  });

  it('admits only the local host by default, whose requests come from the gateway', () => {
    const { environment = {} } = base.services.server!;
    for (const name of ['ALLOWED_ADDRESSES', 'SYSADMIN_ALLOWED_ADDRESSES'])
      expect(interpolated(environment[name]!)).toBe(`127.0.0.1, ::1, ${gateway}`);
    expect(interpolated(environment.TRUSTED_PROXIES!)).toBe('');
  });

  it('gives the database no rights but those that its start needs', () => {
    expect(base.services.database).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp', '/var/run/postgresql'],
      cap_drop: ['ALL'],
      cap_add: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('limits the memory of every service to the figures of docs/sizing.md', () => {
    const limits = Object.entries(all).map(([name, { mem_limit = '' }]) => [
      name,
      interpolated(mem_limit),
    ]);
    expect(Object.fromEntries(limits)).toEqual({
      ...Object.fromEntries(['database', ...NODES].map((name) => [name, '1g'])),
      ...Object.fromEntries(MEMBERS.map((name) => [name, '256m'])),
      migrate: '768m',
      server: '768m',
      demo: '768m',
      audit: '768m',
      'server-2': '768m',
      proxy: '128m',
    });
    expect(readFileSync('docs/sizing.md', 'utf8')).toMatch(
      /\| up to 1,000 users +\| 2 +\| one process, 768 MB +\| 1 processor, 1 GB,/,
    );
  });

  it('asks for as many connections as a process may open', () => {
    const each = new RegExp(`\\b${CONNECTIONS_OF_PROCESS} (for each|×|connections)`);
    for (const file of [
      '.env.example',
      'docker-compose.yml',
      'docs/administrators.md',
      'docs/configuration.md',
      'docs/scaling.md',
      'docs/sizing.md',
    ])
      expect([file, readFileSync(file, 'utf8')]).toEqual([file, expect.stringMatching(each)]);
  });

  it('uses images of others by their digest', () => {
    const images = Object.values(all)
      .filter(({ image }) => !image.startsWith('process-platform'))
      .map(({ image }) => image);
    const bases = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+)/gm)].map(
      ([, image]) => image!,
    );
    expect([images.length, bases.length]).toEqual([1, 4]);
    // The nodes of the cluster have the same PostgreSQL.
    expect(bases).toContain(images[0]);
    for (const image of [...images, ...bases])
      expect(image).toMatch(/^[a-z]+:[a-z0-9.-]*\d[a-z0-9.-]*@sha256:[0-9a-f]{64}$/);
  });

  it('publishes only on 127.0.0.1, and the database not at all', () => {
    for (const { services } of [base, cluster])
      for (const [name, { ports = [] }] of Object.entries(services)) {
        expect([name, ports.length]).toEqual([name, name.startsWith('server') ? 1 : 0]);
        for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{\w+:-\d+\}:3000$/);
      }
  });

  it('has a health check for every service that keeps running', () => {
    // The metrics of the server watch the stream of the audit trail.
    const staying = [base, cluster].flatMap(({ services }) =>
      Object.entries(services).filter(
        ([name, { restart }]) => restart === 'unless-stopped' && name !== 'audit',
      ),
    );
    expect(staying.map(([name]) => name)).toEqual([
      'database',
      'server',
      ...MEMBERS,
      ...NODES,
      'database',
      'server',
      'server-2',
      'proxy',
    ]);
    for (const [name, { healthcheck }] of staying)
      expect([name, healthcheck]).toEqual([name, { ...healthcheck, test: expect.anything() }]);
  });

  it('gives each server and proxy the time that a stop may take', () => {
    const hardStop = /hard-stop-after (\d+)s/.exec(readFileSync('deploy/haproxy.cfg', 'utf8'))![1]!;
    for (const name of ['server', 'server-2', 'proxy']) {
      const { environment, stop_grace_period } = all[name]!;
      const atMost =
        name === 'proxy' ? Number(hardStop) : Number(interpolated(environment!.DRAIN_SECONDS!)) + 8;
      expect([name, atMost]).toEqual([name, expect.any(Number)]);
      expect(parseInt(stop_grace_period!, 10)).toBeGreaterThan(atMost);
    }
    // HAProxy finishes what it was asked only at this signal.
    expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^STOPSIGNAL SIGUSR1$/m);
  });

  it('migrates once the database answers, and serves once that succeeded', () => {
    expect(base.services.migrate!.depends_on).toEqual({
      database: { condition: 'service_healthy' },
    });
    expect(base.services.server!.depends_on).toEqual({
      database: { condition: 'service_healthy' },
      migrate: { condition: 'service_completed_successfully' },
    });
    expect(base.services.demo!.profiles).toEqual(['demo']);
    expect(base.services.audit!.profiles).toEqual(['audit']);
  });

  it('uses the variables of .env.example, and no others', () => {
    const used = FILES.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!),
    );
    const example = readFileSync('.env.example', 'utf8');
    const shown = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    expect(shown.sort()).toEqual([...new Set(used)].sort());
    for (const [, name] of Object.values(cluster.secrets).flatMap(({ file }) => [
      ...file.matchAll(/\$\{(\w+):\?/g),
    ]))
      expect(example).toMatch(new RegExp(`^${name}=.+`, 'm'));
  });
});

describe('docker-compose.cluster.yml', () => {
  const { services } = cluster;

  it('has the servers of docker-compose.yml, which trust the gateway, as which the proxy comes', () => {
    for (const name of ['server', 'migrate', 'demo']) {
      const { environment, ...others } = base.services[name]!;
      expect(services[name]).toEqual({
        ...others,
        environment: {
          ...environment,
          TRUSTED_PROXIES: gateway,
          ALLOWED_ADDRESSES: '${ALLOWED_ADDRESSES:-127.0.0.1, ::1}',
          SYSADMIN_ALLOWED_ADDRESSES: '${SYSADMIN_ALLOWED_ADDRESSES:-127.0.0.1, ::1}',
        },
      });
    }
    expect(services.proxy!.network_mode).toBe('host');
    expect(cluster.networks).toEqual(base.networks);
  });

  it('has two servers that differ only in their port', () => {
    const { ports: one, ...first } = services.server!;
    const { ports: other, ...second } = services['server-2']!;
    expect(second).toEqual(first);
    expect(one).not.toEqual(other);
  });

  it.each([...NODES, ...MEMBERS, 'database', 'proxy'])('gives %s no rights', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(services[name]).not.toHaveProperty('cap_add');
  });

  it('has three nodes and three members of etcd, which differ only in their name', () => {
    for (const name of NODES) {
      const { environment, ...others } = services[NODES[0]!]!;
      expect(services[name]).toEqual({
        ...others,
        environment: {
          ...environment,
          PATRONI_NAME: name,
          PATRONI_RESTAPI_CONNECT_ADDRESS: `${name}:8008`,
          PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${name}:5432`,
        },
        volumes: [`${name}:/var/lib/postgresql`],
      });
      expect(Object.values(services.database!.environment!)).toContain(`${name}:5432`);
    }
    for (const name of MEMBERS) {
      const { environment, ...others } = services[MEMBERS[0]!]!;
      expect(services[name]).toEqual({
        ...others,
        environment: {
          ...environment,
          ETCD_NAME: name,
          ETCD_ADVERTISE_CLIENT_URLS: `http://${name}:2379`,
          ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${name}:2380`,
        },
        volumes: [`${name}:/var/lib/etcd`],
      });
      expect(environment!.ETCD_INITIAL_CLUSTER).toContain(`${name}=http://${name}:2380`);
      expect(services[NODES[0]!]!.environment!.PATRONI_ETCD3_HOSTS).toContain(`${name}:2379`);
    }
    expect(Object.keys(cluster.volumes)).toEqual([...MEMBERS, ...NODES]);
  });

  it('logs no query in the proxy, and replaces the forwarding headers of callers', () => {
    const text = readFileSync('deploy/haproxy.cfg', 'utf8');
    const format = /log-format (.*)/.exec(text)![1]!;
    expect(format).toContain('"path":%{+Q,+E}HP,');
    // Compose unescapes nothing inside a code sample: %%Y would stay as it is.
    expect(format).toContain('"time":"%[date,ltime(%Y-%m-%dT%H:%M:%S%z)]"');
    expect(format).not.toMatch(/%(\{[^}]*\})?(HU|HQ|r\b|hrl?\b)|capture|url/);
    expect(text).toContain('http-request set-header X-Forwarded-For %[src]');
  });
});

describe('Dockerfile', () => {
  const lines = readFileSync('Dockerfile', 'utf8')
    .replace(/\\\n/g, '')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));
  const stages = lines.flatMap((line) => /^FROM (\S+) AS (\w+)$/.exec(line)?.[2] ?? []);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const ignored = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

  it('copies only existing files, before and after a build', () => {
    expect(stages).toEqual(['proxy', 'database', 'build', 'server']);
    const copied = lines.flatMap(
      (line) => /^COPY (?!--)(.*) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
    );
    const moved = lines.flatMap((line) => / mv (.*) \/server$/.exec(line)?.[1]?.split(' ') ?? []);
    expect(moved).toEqual(['package.json', 'node_modules', 'dist']);
    expect(last).toContain('COPY --from=build /server .');
    for (const path of [...copied, ...moved])
      expect([path, existsSync(path)]).toEqual([path, true]);
    for (const path of copied) expect(ignored).not.toContain(path);
  });

  it('runs as an unprivileged user, with the program and health check of the services', () => {
    expect(last).toContain('USER 1000:1000');
    expect(last.filter((line) => line.startsWith('USER '))).toHaveLength(1);
    const check = base.services.server!.healthcheck!.test!;
    expect(last.find((line) => line.startsWith('HEALTHCHECK '))).toContain(
      `CMD ${JSON.stringify(check.slice(1)).replace(',', ', ')}`,
    );
    expect(last).toContain('CMD ["node", "dist/src/main.js"]');
  });

  it('excludes secrets and local files from the image', () => {
    for (const path of ['.env', 'secrets', '.data', '.git', 'node_modules', 'dist'])
      expect(ignored).toContain(path);
  });
});
