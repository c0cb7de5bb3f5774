import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority, makeSigned } from './certificate.js';
import { PATIENCE } from './eventually.js';
import { until } from './until.js';

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
export class Samba {
  /** Signed its certificate. */
  readonly authority = makeAuthority('authority');
  private child: ChildProcess | undefined;

  private constructor(private readonly folder: string) {}

  /** Takes about ten seconds. @throws Error when the domain cannot be made, or the server does not start */
  static async start(): Promise<Samba> {
    const folder = mkdtempSync(join(tmpdir(), 'process-platform-samba-'));
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

  get url(): string {
    return `ldap://${ADDRESS}`;
  }

  get tlsUrl(): string {
    return `ldaps://${ADDRESS}`;
  }

  /** Adds, changes and removes entries, as LDIF (RFC 2849). */
  change(ldif: string): void {
    this.client('ldapmodify', ['-a'], ldif);
  }

  /** The DN of the entry with an objectGUID, given as text (MS-ADTS 3.1.1.3.1.2.4). */
  dnOf(guid: string): string | undefined {
    const entry = this.client('ldapsearch', ['-LLL', '-s', 'base', '-b', `<GUID=${guid}>`, 'cn']);
    return /^dn: (.*)$/m.exec(entry)?.[1];
  }

  private client(program: string, more: string[], input = ''): string {
    const account = ['-D', ADMINISTRATOR, '-w', ADMINISTRATOR_PASSWORD];
    return execFileSync(program, ['-x', '-H', this.tlsUrl, ...account, ...more], {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: PATIENCE,
      env: { ...process.env, LDAPTLS_CACERT: join(this.folder, 'ca.pem') },
    });
  }

  private async run(): Promise<void> {
    const settings = join(this.folder, 'etc', 'smb.conf');
    const modes = ['--foreground', '--model=single'];
    this.child = spawn('samba', [...modes, `--configfile=${settings}`], { stdio: 'ignore' });
    const search = ['-x', '-H', this.url, '-s', 'base', '-b', ''];
    const answers = () => Promise.resolve(spawnSync('ldapsearch', search).status === 0);
    if ((await until(answers, { every: 100 })) === undefined)
      throw new Error('samba does not start');
  }

  async close(): Promise<void> {
    const { child } = this;
    if (child?.exitCode === null && child.signalCode === null) {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await closed;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
