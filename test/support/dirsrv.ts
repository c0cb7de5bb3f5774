import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { PATIENCE } from './eventually.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

/** Where the package 389-ds-base of Debian has put the 389 Directory Server; undefined elsewhere, and for others than root. */
export const DIRSRV = ['/usr/sbin/ns-slapd'].find(
  (path) => process.getuid?.() === 0 && spawnSync(path, ['-v']).error === undefined,
);

/** The account of the tests in the directory. */
export const MANAGER_DN = 'cn=Directory Manager';
export const MANAGER_PASSWORD = 'directory-secret';

/** Settings of a new server, which come with the package. */
const TEMPLATE = '/usr/share/dirsrv/data/template-dse.ldif';
const FOLDERS = ['config', 'lock', 'cert', 'ldif', 'bak', 'run', 'inst', 'log', 'db', 'tmp'];

/** Makes an empty database for `dc=example,dc=org` with its first entries. */
const SUFFIX = `dn: cn=userRoot,cn=ldbm database,cn=plugins,cn=config
objectClass: nsBackendInstance
objectClass: extensibleObject
cn: userRoot
nsslapd-suffix: dc=example,dc=org

dn: cn="dc=example,dc=org",cn=mapping tree,cn=config
objectClass: nsMappingTree
objectClass: extensibleObject
cn: dc=example,dc=org
nsslapd-state: backend
nsslapd-backend: userRoot

dn: dc=example,dc=org
objectClass: domain
dc: example

dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=example,dc=org
objectClass: organizationalUnit
ou: groups
`;

/** A 389 Directory Server in a folder of its own, with `dc=example,dc=org`, `ou=people` and `ou=groups`. */
export class Dirsrv {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** @throws Error when the server does not start */
  static async start(): Promise<Dirsrv> {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-dirsrv-'));
    const config = join(folder, 'config');
    const schema = join(config, 'schema');
    const port = await freePort();
    for (const name of FOLDERS) mkdirSync(join(folder, name));
    // Without a schema of its own, the server exits and says nothing.
    mkdirSync(schema);
    writeFileSync(join(schema, '99user.ldif'), 'dn: cn=schema\n');
    writeFileSync(join(config, 'slapd-collations.conf'), '');
    const values: Record<string, string> = {
      ...Object.fromEntries(FOLDERS.map((name) => [`${name}_dir`, join(folder, name)])),
      ...{ schema_dir: schema, db_home_dir: join(folder, 'db'), db_lib: 'bdb' },
      ...{ ds_suffix: 'dc=example,dc=org', fqdn: 'localhost', ds_port: String(port) },
      ...{ ds_user: userInfo().username, rootdn: MANAGER_DN, ds_passwd: hashOf(MANAGER_PASSWORD) },
      ...{ ldapi_enabled: 'off', ldapi: join(folder, 'run', 'ldapi'), ldapi_autobind: 'off' },
    };
    const settings = readFileSync(TEMPLATE, 'utf8').replace(
      /%(\w+)%/g,
      (whole, name: string) => values[name] ?? whole,
    );
    writeFileSync(join(config, 'dse.ldif'), settings);
    const server = new Dirsrv(folder, port);
    try {
      await server.run();
      server.change(SUFFIX);
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  /** Adds, changes and removes entries, as LDIF (RFC 2849). */
  change(ldif: string): void {
    const account = ['-D', MANAGER_DN, '-w', MANAGER_PASSWORD];
    execFileSync('ldapmodify', ['-x', '-H', this.url, ...account, '-a'], {
      input: ldif,
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: PATIENCE,
    });
  }

  /** @throws Error when the server does not answer */
  async run(): Promise<void> {
    const files = ['-D', join(this.folder, 'config'), '-i', join(this.folder, 'pid')];
    // With a debug level, it stays in the foreground.
    this.child = spawn(DIRSRV!, [...files, '-d', '0'], { stdio: 'ignore' });
    const search = ['-x', '-H', this.url, '-s', 'base', '-b', ''];
    const answers = () => Promise.resolve(spawnSync('ldapsearch', search).status === 0);
    if ((await until(answers)) === undefined)
      throw new Error('the 389 Directory Server does not start');
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The server takes no clear password in its settings. */
const hashOf = (password: string): string =>
  execFileSync('pwdhash', ['-s', 'SSHA512', password], { encoding: 'utf8' }).trim();
