import { ResultCodeError } from 'ldapts';
import { type LdapSettings, mappingOf } from '../directory/ldap-settings.js';
import { bindOf, DirectoryUnreadable, LdapConnection, REQUEST_TIMEOUT } from './ldap-connection.js';

/** Errors of the network, before anything is encrypted. */
const NETWORK = /ECONN|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|timeout/i;

/** How far the test of a server came; `done` when nothing failed. */
export const STEPS = ['reach', 'encrypt', 'bind', 'people', 'groups', 'done'] as const;
export type Step = (typeof STEPS)[number];

/** What one server of a directory answered. */
export interface ServerTest {
  url: string;
  /** The step that failed. */
  step: Step;
  /** Why it failed, for administrators. */
  message: string | null;
  /** Entries of the first page; null where nobody looked for them. */
  people: number | null;
  groups: number | null;
  /** Whether there are further pages. */
  hasMorePeople: boolean;
  hasMoreGroups: boolean;
  milliseconds: number;
}

/** Tries every server of a directory at the same time: reaches it, binds, and reads the first page of people and groups. */
export function testConnection(
  settings: LdapSettings,
  password: string | undefined,
): Promise<ServerTest[]> {
  return Promise.all(settings.urls.map((url) => testServer(settings, url, password)));
}

async function testServer(
  settings: LdapSettings,
  url: string,
  password: string | undefined,
): Promise<ServerTest> {
  const started = performance.now();
  const test: ServerTest = {
    ...{ url, step: 'bind', message: null, people: null, groups: null },
    ...{ hasMorePeople: false, hasMoreGroups: false, milliseconds: 0 },
  };
  let isConnected = false;
  try {
    await LdapConnection.on(
      { ...settings, urls: [url] },
      bindOf(settings, password),
      async (connection) => {
        isConnected = true;
        test.step = 'people';
        const { peopleBase, peopleFilter, groupsBase, groupsFilter } = settings;
        const people = await firstPage(connection, settings, peopleBase, peopleFilter);
        Object.assign(test, { people: people.count, hasMorePeople: people.hasMore });
        test.step = 'groups';
        if (groupsBase !== null) {
          const groups = await firstPage(connection, settings, groupsBase, groupsFilter);
          Object.assign(test, { groups: groups.count, hasMoreGroups: groups.hasMore });
        }
        test.step = 'done';
      },
      REQUEST_TIMEOUT,
    );
  } catch (error) {
    if (!(error instanceof DirectoryUnreadable)) throw error;
    test.message = error.message;
    if (!isConnected && error.cause !== undefined) test.step = stepOf(error.cause, settings, url);
  }
  return { ...test, milliseconds: Math.round(performance.now() - started) };
}

async function firstPage(
  connection: LdapConnection,
  settings: LdapSettings,
  base: string,
  filter: string,
): Promise<{ count: number; hasMore: boolean }> {
  const { pageSize } = settings;
  const attributes = [mappingOf(settings).key ?? '1.1'];
  for await (const { entries } of connection.search(base, { filter, attributes, pageSize }))
    return { count: entries.length, hasMore: entries.length >= pageSize };
  return { count: 0, hasMore: false };
}

/** Which step an error before the first search belongs to: a server answers a bind with a result, TLS ends with none. */
function stepOf(error: unknown, { startTls }: LdapSettings, url: string): Step {
  const { code, message } = error as Error & { code?: unknown };
  if (NETWORK.test(`${String(code)} ${message}`)) return 'reach';
  const isEncrypted = startTls || url.startsWith('ldaps:');
  return error instanceof ResultCodeError || !isEncrypted ? 'bind' : 'encrypt';
}
