import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { Alert, Box, Button, Stack, TextField } from '@mui/material';
import { PlugZap, Search } from 'lucide-react';
import { send } from '../../api-client/api.js';
import type { DirectoryConnectionTest, DirectoryPersonTest } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useAction } from '../api/use-api.js';
import { attributeLabel, codeLabel } from '../components/value.js';
import { RefLink } from '../form/fact.js';
import { Facts } from '../form/facts.js';
import { Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';

type ServerTest = DirectoryConnectionTest['servers'][number];
type TestedEntry = DirectoryPersonTest['entries'][number];
type Values = Record<string, unknown>;

/** Tests the connection to an LDAP directory, and one of its people. Nothing is written (docs/ldap.md#tests). */
export function DirectoryTests({ provider }: { provider: Item }) {
  const texts = useTexts();
  const act = useAction();
  const [isBusy, setBusy] = useState(false);
  const [servers, setServers] = useState<ServerTest[]>();
  const [entries, setEntries] = useState<TestedEntry[]>();
  const [login, setLogin] = useState('');
  const test = async <T,>(call: string, body?: object): Promise<T | undefined> => {
    const path = `/api/v2/directory/providers/${provider.id}/${call}`;
    let found: T | undefined;
    setServers(undefined);
    setEntries(undefined);
    setBusy(true);
    await act(async () => {
      found = (await (await send(path, { method: 'POST', body })).json()) as T;
    });
    setBusy(false);
    return found;
  };
  const testConnection = async () =>
    setServers((await test<DirectoryConnectionTest>('connection-test'))?.servers);
  const testPerson = async (event: SyntheticEvent) => {
    event.preventDefault();
    setEntries((await test<DirectoryPersonTest>('person-test', { login: login.trim() }))?.entries);
  };
  return (
    <Section
      title={texts('ldap.title')}
      lead={texts('ldap.lead')}
      actions={
        <Button
          variant="outlined"
          disabled={isBusy}
          startIcon={<PlugZap size={17} aria-hidden />}
          onClick={() => void testConnection()}
        >
          {texts('ldap.test')}
        </Button>
      }
    >
      <Stack
        component="form"
        direction="row"
        useFlexGap
        spacing={1.5}
        sx={{ flexWrap: 'wrap', alignItems: 'center' }}
        onSubmit={(event) => void testPerson(event)}
      >
        <TextField
          label={texts('ldap.person.login')}
          value={login}
          onChange={({ target }) => setLogin(target.value)}
          slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
        />
        <Button
          type="submit"
          variant="outlined"
          disabled={isBusy || login.trim() === ''}
          startIcon={<Search size={17} aria-hidden />}
        >
          {texts('ldap.person')}
        </Button>
      </Stack>
      <div role="status">
        {servers?.map((server) => (
          <ServerResult key={server.url} server={server} />
        ))}
        {entries?.length === 0 && (
          <Result severity="warning">{texts('ldap.person.unknown')}</Result>
        )}
        {entries?.map((entry) => (
          <EntryResult key={entry.dn} entry={entry} />
        ))}
      </div>
    </Section>
  );
}

type Severity = 'success' | 'info' | 'warning' | 'error';

function Result({ severity, children }: { severity: Severity; children: ReactNode }) {
  return (
    <Alert
      severity={severity}
      role="presentation"
      sx={{
        mt: 2,
        alignItems: 'start',
        overflowWrap: 'anywhere',
        '& .MuiAlert-message': { minWidth: 0 },
      }}
    >
      {children}
    </Alert>
  );
}

function ServerResult({ server }: { server: ServerTest }) {
  const texts = useTexts();
  const { url, step, message, milliseconds, people, groups } = server;
  if (step !== 'done')
    return (
      <Result severity="error">
        <div>{texts('ldap.server.failed', { url, step: texts(`ldap.step.${step}`) })}</div>
        {/* The server's message begins with the address, too. */}
        {message !== null && <span lang="en">{message.replace(`${url}: `, '')}</span>}
      </Result>
    );
  const found = (kind: 'people' | 'groups', count: number | null, hasMore: boolean) =>
    count === null
      ? []
      : [texts(`ldap.server.${kind}`, { count: `${count}${hasMore ? '+' : ''}` })];
  const page = [
    ...found('people', people, server.hasMorePeople),
    ...found('groups', groups, server.hasMoreGroups),
  ].join(', ');
  return (
    <Result severity="success">
      {texts('ldap.server.done', { url, milliseconds, found: page })}
    </Result>
  );
}

/** An entry of the directory: what a run would do with it, what the mapping makes of it, and its attributes. */
function EntryResult({ entry }: { entry: TestedEntry }) {
  const texts = useTexts();
  const { dn, action, reason, user, attributes } = entry;
  const [values, before, after] = [entry.values, entry.before, entry.after] as Values[];
  const shown = (name: string, value: unknown): string => {
    if (value === null || value === undefined) return '–';
    if (name === 'status') return codeLabel('users', name, value, texts);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const change = (name: string, value: unknown): string =>
    action === 'update' && name in after!
      ? texts('ldap.person.instead', {
          value: shown(name, value),
          before: shown(name, before![name]),
        })
      : shown(name, value);
  return (
    <Result severity={action === 'skip' ? 'warning' : 'info'}>
      <strong>{dn}</strong>
      <div>
        {texts(`ldap.person.${action}`)} {action === 'skip' && <span lang="en">{reason}</span>}{' '}
        {user !== null && <RefLink to={{ uri: user, label: texts('ldap.person.show') }} />}
      </div>
      <Details title={texts('ldap.person.values')} isOpen>
        <Facts
          facts={Object.entries(values!)
            .filter(([name, value]) => value !== null || name in before!)
            .map(([name, value]) => [attributeLabel(name, texts), change(name, value)])}
        />
      </Details>
      <Details title={texts('ldap.person.attributes')}>
        <Facts
          facts={attributes.map(({ name, values: given, isSecret, isBinary, isCut }) => [
            isBinary ? `${name} (Base64)` : name,
            isSecret ? texts('ldap.person.secret') : given.join(', ') + (isCut ? ' …' : ''),
          ])}
        />
      </Details>
    </Result>
  );
}

function Details({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <Box component="details" open={isOpen} sx={{ mt: 1 }}>
      <Box component="summary" sx={{ cursor: 'pointer', mb: 0.5 }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}
