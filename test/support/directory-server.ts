import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE } from './eventually.js';
import { until } from './until.js';

/** An LDAP server of the tests, in a folder of its own. */
export abstract class DirectoryServer {
  private child: ChildProcess | undefined;

  protected constructor(readonly folder: string) {}

  /** @param name of the server, in that of its folder */
  protected static makeFolder(name: string): string {
    return mkdtempSync(join(tmpdir(), `process-platform-${name}-`));
  }

  abstract get url(): string;

  /** The account of the tests: its DN and password. */
  protected abstract get account(): [dn: string, password: string];

  /** Starts the server. @throws Error when it does not answer */
  abstract run(): Promise<void>;

  protected async launch(program: string, args: string[]): Promise<void> {
    this.child = spawn(program, args, { stdio: 'ignore' });
    const search = ['-x', '-H', this.url, '-s', 'base', '-b', ''];
    const answers = () => Promise.resolve(spawnSync('ldapsearch', search).status === 0);
    if ((await until(answers, { every: 100 })) === undefined)
      throw new Error(`${program} does not start`);
  }

  /** Adds, changes and removes entries, as LDIF (RFC 2849). */
  change(ldif: string): void {
    this.client('ldapmodify', ['-a'], ldif);
  }

  /** Runs a client program of LDAP as the account of the tests. */
  protected client(program: string, more: string[], input = '', url = this.url): string {
    const [dn, password] = this.account;
    return execFileSync(program, ['-x', '-H', url, '-D', dn, '-w', password, ...more], {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: PATIENCE,
      maxBuffer: Infinity,
      env: { ...process.env, LDAPTLS_CACERT: join(this.folder, 'ca.pem') },
    });
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
