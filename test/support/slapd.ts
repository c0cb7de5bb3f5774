import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { makeAuthority, makeSigned } from './certificate.js';
import { until } from './until.js';

/** The account of the tests in the directory. */
export const ROOT_DN = 'cn=admin,dc=example,dc=org';
export const ROOT_PASSWORD = 'directory-secret';

/** Where the packages of Debian have put slapd; undefined elsewhere. */
export const SLAPD = ['/usr/sbin/slapd', '/usr/lib/openldap/slapd'].find(
  (path) => spawnSync(path, ['-VV']).error === undefined,
);

/** Attributes of Active Directory (MS-ADA), which OpenLDAP stores and does not count by itself. */
const ACTIVE_DIRECTORY = `${[
  ['1.2.840.113556.1.4.2', 'objectGUID', 'octetStringMatch', '40'],
  ['1.2.840.113556.1.4.8', 'userAccountControl', 'integerMatch', '27'],
  ['1.2.840.113556.1.4.98', 'primaryGroupID', 'integerMatch', '27'],
  ['1.2.840.113556.1.4.221', 'sAMAccountName', 'caseIgnoreMatch', '15'],
  ['1.2.840.113556.1.4.1412', 'primaryGroupToken', 'integerMatch', '27'],
]
  .map(
    ([oid, name, rule, syntax]) =>
      `attributetype ( ${oid} NAME '${name}' EQUALITY ${rule} SYNTAX 1.3.6.1.4.1.1466.115.121.1.${syntax} SINGLE-VALUE )`,
  )
  .join('\n')}
objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP top AUXILIARY MAY ( objectGUID $ userAccountControl $ primaryGroupID $ sAMAccountName ) )
objectclass ( 1.2.840.113556.1.5.8 NAME 'group' SUP top AUXILIARY MAY ( objectGUID $ primaryGroupToken ) )`;

const LIMITS = 'sizelimit unlimited';

/** An OpenLDAP server of its own, with `dc=example,dc=org`, `ou=people` and `ou=groups`. */
export class Slapd {
  /** Signed its certificate. */
  readonly authority = makeAuthority('authority');
  private child: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly tlsPort: number | undefined,
  ) {}

  /**
   * @param tls whether it also takes StartTLS and `ldaps`, with a certificate of `authority`
   * @throws Error when the server does not start
   */
  static async start(limits = LIMITS, tls = false): Promise<Slapd> {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-slapd-'));
    mkdirSync(join(folder, 'data'));
    const slapd = new Slapd(folder, await freePort(), tls ? await freePort() : undefined);
    const { cert, key } = makeSigned(slapd.authority, 'ldap.example.org');
    writeFileSync(join(folder, 'server.pem'), cert);
    writeFileSync(join(folder, 'server.key'), key);
    writeFileSync(
      slapd.configuration,
      `${['core', 'cosine', 'nis', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
${ACTIVE_DIRECTORY}
pidfile ${folder}/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
${limits}
${tls ? `TLSCertificateFile ${folder}/server.pem\nTLSCertificateKeyFile ${folder}/server.key` : ''}
database mdb
maxsize 1073741824
suffix "dc=example,dc=org"
rootdn "${ROOT_DN}"
rootpw ${ROOT_PASSWORD}
directory ${folder}/data
index objectClass,entryUUID,uid eq
`,
    );
    slapd.load(`dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=example,dc=org
objectClass: organizationalUnit
ou: groups
`);
    await slapd.run();
    return slapd;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  get tlsUrl(): string {
    return `ldaps://127.0.0.1:${this.tlsPort}`;
  }

  private get configuration(): string {
    return join(this.folder, 'slapd.conf');
  }

  /** Adds entries while the server does not run; fast for many. */
  load(ldif: string): void {
    execFileSync('/usr/sbin/slapadd', ['-q', '-f', this.configuration], { input: ldif });
  }

  /** Adds, changes and removes entries, as LDIF (RFC 2849). */
  change(ldif: string): void {
    execFileSync('ldapmodify', ['-x', '-H', this.url, '-D', ROOT_DN, '-w', ROOT_PASSWORD, '-a'], {
      input: ldif,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  }

  async run(): Promise<void> {
    const urls = this.tlsPort === undefined ? this.url : `${this.url} ${this.tlsUrl}`;
    this.child = spawn(SLAPD!, ['-d', '0', '-f', this.configuration, '-h', urls], {
      stdio: 'ignore',
    });
    await until(() =>
      Promise.resolve(
        spawnSync('ldapsearch', ['-x', '-H', this.url, '-s', 'base', '-b', '']).status === 0,
      ),
    );
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill(signal);
    await closed;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** An entry of a person. */
export const personLdif = (uid: string, more: Record<string, string> = {}): string =>
  [
    `dn: uid=${uid},ou=people,dc=example,dc=org`,
    'objectClass: inetOrgPerson',
    ...Object.entries({ uid, cn: uid, sn: `Sn-${uid}`, ...more }).map(
      ([name, value]) => `${name}:: ${Buffer.from(value).toString('base64')}`,
    ),
    '\n',
  ].join('\n');

/** An entry of a group; members are RDNs below the suffix. */
export const groupLdif = (cn: string, members: string[]): string =>
  [
    `dn: cn=${cn},ou=groups,dc=example,dc=org`,
    'objectClass: groupOfNames',
    `cn: ${cn}`,
    ...members.map((member) => `member: ${member},dc=example,dc=org`),
    '\n',
  ].join('\n');
