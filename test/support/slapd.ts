import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority, makeSigned } from './certificate.js';
import { DirectoryServer } from './directory-server.js';
import { freePort } from './free-port.js';

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
export class Slapd extends DirectoryServer {
  /** Signed its certificate. */
  readonly authority = makeAuthority('authority');

  private constructor(
    folder: string,
    readonly port: number,
    private readonly tlsPort: number | undefined,
  ) {
    super(folder);
  }

  /**
   * @param tls whether it also takes StartTLS and `ldaps`, with a certificate of `authority`
   * @throws Error when the server does not start
   */
  static async start(limits = LIMITS, tls = false): Promise<Slapd> {
    const folder = DirectoryServer.makeFolder('slapd');
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

  override get url(): string {
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

  protected override get account(): [string, string] {
    return [ROOT_DN, ROOT_PASSWORD];
  }

  override run(): Promise<void> {
    const urls = this.tlsPort === undefined ? this.url : `${this.url} ${this.tlsUrl}`;
    return this.launch(SLAPD!, ['-d', '0', '-f', this.configuration, '-h', urls]);
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
