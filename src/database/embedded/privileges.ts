import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** How PostgreSQL's programs run: the command before the program, and the owner of its files. */
export interface Privileges {
  prefix: string[];
  /** Numeric user and group of the data folder; undefined: those of the process that starts the server. */
  owner?: number;
}

/** The usual id of the unprivileged user, as a number because a host need not have a name for it. */
const UNPRIVILEGED = 65534;

/** Ends PostgreSQL cleanly when this process is killed, however that happens. */
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

/**
 * PostgreSQL refuses to run as root. An unprivileged user cannot enter a folder that only root may enter, so
 * PostgreSQL keeps the capability to bypass file permissions; where the host forbids that, it runs in a
 * user namespace that maps root to another id.
 */
const asRoot = (user: number): Privileges[] => [
  {
    prefix: [
      ...DIE_WITH_PARENT,
      `--reuid=${user}`,
      `--regid=${user}`,
      '--clear-groups',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--securebits=+no_setuid_fixup',
    ],
    owner: user,
  },
  {
    prefix: ['unshare', '--user', `--map-user=${UNPRIVILEGED}`, '--', ...DIE_WITH_PARENT],
    owner: 0,
  },
];

/**
 * An ordinary user keeps the folder, to be able to start the server too; root's folder goes to the unprivileged user.
 */
const userFor = (folder: string): number => statSync(folder).uid || UNPRIVILEGED;

const AS_ORDINARY_USER: Privileges[] = [{ prefix: DIE_WITH_PARENT }, { prefix: [] }];

/**
 * The first way of running a program of PostgreSQL that works here.
 * @param program path of `postgres`
 * @param folder of everything embedded
 * @throws Error naming every way that was tried
 */
export function findPrivileges(program: string, folder: string): Privileges {
  const ways = process.getuid?.() === 0 ? asRoot(userFor(folder)) : AS_ORDINARY_USER;
  const failures: string[] = [];
  for (const way of ways) {
    const [command, ...args] = [...way.prefix, program, '--version'];
    const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0) return way;
    failures.push(`  ${command}: ${error?.message ?? stderr.trim()}`);
  }
  throw new Error(
    `the embedded PostgreSQL cannot be run by this user:\n${failures.join('\n')}\nRun the server as an ordinary user, or set DATABASE_URL.`,
  );
}
