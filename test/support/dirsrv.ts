import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DirectoryServer } from './directory-server.js';
import { freePort } from './free-port.js';

const DIRSRV = '/usr/sbin/ns-slapd';

/** Whether there is the 389 Directory Server, and root: as anybody else it exits and says nothing. */
export const HAS_DIRSRV = process.getuid?.() === 0 && spawnSync(DIRSRV, ['-v']).error === undefined;

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
export class Dirsrv extends DirectoryServer {
  private constructor(
    folder: string,
    private readonly port: number,
  ) {
    super(folder);
  }

  /** @throws Error when the server does not start */
  static async start(): Promise<Dirsrv> {
    const folder = DirectoryServer.makeFolder('dirsrv');
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

  override get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  protected override get account(): [string, string] {
    return [MANAGER_DN, MANAGER_PASSWORD];
  }

  override run(): Promise<void> {
    const files = ['-D', join(this.folder, 'config'), '-i', join(this.folder, 'pid')];
    // With a debug level, it stays in the foreground.
    return this.launch(DIRSRV, [...files, '-d', '0']);
  }
}

/** The server takes no clear password in its settings. */
const hashOf = (password: string): string =>
  execFileSync('pwdhash', ['-s', 'SSHA512', password], { encoding: 'utf8' }).trim();
