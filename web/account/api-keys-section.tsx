import { KeyRound, Trash2 } from 'lucide-react';
import { type ComponentType, useRef } from 'react';
import { query } from '../api-client/api.js';
import { getCountedPage } from '../api-client/counted-page.js';
import type { ApiKey } from '../api-client/types.js';
import { useLoad } from '../api-client/use-load.js';
import { useAccountPage } from './account-page.js';
import { type NewApiKeyProps, USERS, useApiKeys } from './use-api-keys.js';

/**
 * The API keys of an account, with a button that deletes each.
 * @param NewApiKey the page's form that creates a key and shows its secret once
 * @param accounts the path of the accounts
 */
export function ApiKeysSection({
  NewApiKey,
  accounts = USERS,
}: {
  NewApiKey: ComponentType<NewApiKeyProps>;
  accounts?: string;
}) {
  const { texts, explain, changes, elements } = useAccountPage();
  const { Section, Rows, Hint, Fault, Pending } = elements;
  const form = useRef<HTMLDivElement>(null);
  const { path, problem, remove, ...creation } = useApiKeys(accounts);
  const loaded = useLoad(`${path} ${changes}`, (signal) =>
    getCountedPage<ApiKey>(`${path}${query({ range: '0-100', sorter: 'name' })}`, signal),
  );
  const keys = loaded.value?.items;
  const removeKey = async (id: string) => {
    if (!(await remove(id, texts('keys.deleted')))) return;
    // The pressed button disappears with its key; the focus moves to the form.
    const field = form.current?.querySelector('input') ?? form.current?.querySelector('button');
    field?.focus();
  };
  return (
    <Section title={texts('keys')} lead={texts('keys.lead')}>
      {loaded.problem || keys === undefined ? (
        <Pending problem={loaded.problem} onRetry={loaded.reload} />
      ) : (
        <>
          {keys.length === 0 && <Hint>{texts('keys.none')}</Hint>}
          <Rows>
            {keys.map((key) => (
              <ApiKeyRow key={key.id} apiKey={key} onRemove={() => void removeKey(key.id)} />
            ))}
          </Rows>
        </>
      )}
      <div ref={form}>
        <NewApiKey {...creation} />
      </div>
      <Fault text={problem && explain(problem)} />
    </Section>
  );
}

/** One key: the start of its secret, when it was created, used last, and expires. */
function ApiKeyRow({
  apiKey: { name, prefix, creationDate, expiration, lastUseDate, permissions },
  onRemove,
}: {
  apiKey: ApiKey;
  onRemove: () => void;
}) {
  const { texts, showDate, elements } = useAccountPage();
  const { Row, IconButton } = elements;
  const facts = [
    texts('keys.created', { date: showDate(creationDate) }),
    expiration === null
      ? texts('keys.endless')
      : texts('keys.until', { date: showDate(expiration) }),
    lastUseDate === null
      ? texts('keys.unused')
      : texts('keys.used', { date: showDate(lastUseDate) }),
    ...(permissions === null ? [] : [permissions.join(', ')]),
  ];
  return (
    <Row
      icon={KeyRound}
      title={name}
      details={
        <>
          <code>{prefix}…</code> · {facts.join(' · ')}
        </>
      }
      action={
        <IconButton icon={Trash2} label={texts('keys.delete', { name })} onClick={onRemove} />
      }
    />
  );
}
