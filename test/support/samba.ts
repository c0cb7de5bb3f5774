import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority, makeSigned } from './certificate.js';
import { DirectoryServer } from './directory-server.js';
import { PATIENCE } from './eventually.js';

/** Whether there is Samba's domain controller of Active Directory, and root, whom its ports need. */
export const HAS_SAMBA =
  process.getuid?.() === 0 &&
  spawnSync('samba-tool', ['--version']).error === undefined &&
  spawnSync('samba', ['--version']).error === undefined;

/** The account of the tests in the domain, as its userPrincipalName. */
export const ADMINISTRATOR = 'Administrator@example.org';
export const ADMINISTRATOR_PASSWORD = 'Directory-secret-1';

/** Its ports are fixed, so it has an address of its own. */
const ADDRESS = '127.71.0.1';

/** A domain controller of `example.org` in a folder of its own, of which only LDAP runs. */
export class Samba extends DirectoryServer {
  /** Signed its certificate. */
  readonly authority = makeAuthority('authority');

  private constructor(folder: string) {
    super(folder);
  }

  /** Takes about ten seconds. @throws Error when the domain cannot be made, or the server does not start */
  static async start(): Promise<Samba> {
    const folder = DirectoryServer.makeFolder('samba');
    const samba = new Samba(folder);
    const file = (name: string): string => join(folder, name);
    try {
      const { cert, key } = makeSigned(samba.authority, 'dc1.example.org', ADDRESS);
      writeFileSync(file('ca.pem'), samba.authority.cert);
      writeFileSync(file('server.pem'), cert);
      writeFileSync(file('server.key'), key, { mode: 0o600 });
      const options = {
        ...{ interfaces: `${ADDRESS}/8`, 'bind interfaces only': 'yes', 'server services': 'ldap' },
        ...{
          'log file': file('log'),
          'pid directory': file('run'),
          'ncalrpc dir': file('ncalrpc'),
        },
        ...{ 'winbindd socket directory': file('winbindd') },
        ...{ 'ntp signd socket directory': file('ntp') },
        ...{ 'tls cafile': file('ca.pem'), 'tls certfile': file('server.pem') },
        'tls keyfile': file('server.key'),
        // Extended attributes of files need a capability that root of a container lacks.
        'vfs objects': 'dfs_samba4 acl_xattr xattr_tdb',
        'xattr_tdb:file': file('xattr.tdb'),
      };
      execFileSync(
        'samba-tool',
        [
          ...['domain', 'provision', '--server-role=dc', '--dns-backend=NONE'],
          ...['--realm=EXAMPLE.ORG', '--domain=EXAMPLE', '--host-name=dc1'],
          ...[`--host-ip=${ADDRESS}`, `--adminpass=${ADMINISTRATOR_PASSWORD}`],
          `--targetdir=${folder}`,
          ...Object.entries(options).map(([name, value]) => `--option=${name}=${value}`),
        ],
        { stdio: ['ignore', 'ignore', 'pipe'], timeout: 2 * PATIENCE },
      );
      await samba.run();
    } catch (error) {
      await samba.close();
      throw error;
    }
    return samba;
  }

  override get url(): string {
    return `ldap://${ADDRESS}`;
  }

  get tlsUrl(): string {
    return `ldaps://${ADDRESS}`;
  }

  protected override get account(): [string, string] {
    return [ADMINISTRATOR, ADMINISTRATOR_PASSWORD];
  }

  /** The DN of the entry with an objectGUID, given as text (MS-ADTS 3.1.1.3.1.2.4). */
  dnOf(guid: string): string | undefined {
    const entry = this.client('ldapsearch', ['-LLL', '-s', 'base', '-b', `<GUID=${guid}>`, 'cn']);
    return /^dn: (.*)$/m.exec(entry)?.[1];
  }

  /** It takes passwords over TLS alone. */
  protected override client(program: string, more: string[], input = ''): string {
    return super.client(program, more, input, this.tlsUrl);
  }

  override run(): Promise<void> {
    const settings = join(this.folder, 'etc', 'smb.conf');
    const modes = ['--foreground', '--model=single'];
    return this.launch('samba', [...modes, `--configfile=${settings}`]);
  }
}
