import { Copy, KeyRound, Trash2 } from 'lucide-react';
import { type SyntheticEvent, useRef, useState } from 'react';
import { copyText } from '../../account/copy-text.js';
import { useApiKeys } from '../../account/use-api-keys.js';
import { get } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import type { ApiKey } from '../../api-client/types.js';
import { useLoad } from '../use-load.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { Ready } from '../components/ready.js';
import { useToast } from '../components/toast.js';
import { useMe } from '../workplace-context.js';
import { useAction } from './use-action.js';

export function ApiKeys() {
  const { t, problem: explain } = useLanguage();
  const { me } = useMe();
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { isBusy, problem, run } = useAction();
  const fault = problem?.fields[0];
  const { path, secret, create, remove } = useApiKeys(me.id, run);
  const loaded = useLoad(path, (signal) => get<ApiKey[]>(path, signal));
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!(await create({ name: name.trim(), expiration: null, addresses: null }))) return;
    setName('');
    loaded.reload();
  };
  const removeKey = async (id: string) => {
    if (!(await remove(id))) return;
    loaded.reload();
    // The button goes with the key, and must not take the focus along.
    field.current?.focus();
  };
  return (
    <section className="card" aria-label={t('profile.keys')}>
      <h2>{t('profile.keys')}</h2>
      <p className="hint">{t('profile.keys.hint')}</p>
      <Ready loaded={loaded}>
        {(keys) => <KeyRows keys={keys} isBusy={isBusy} onRemove={(id) => void removeKey(id)} />}
      </Ready>
      {secret !== undefined && <NewSecret secret={secret} />}
      <form onSubmit={(event) => void submit(event)} className="inline-form">
        <label className="field">
          <span>{t('profile.keys.name')}</span>
          <input
            ref={field}
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <button className="button" disabled={isBusy || name.trim() === ''}>
          {t('profile.keys.create')}
        </button>
      </form>
      <FormProblem
        text={fault ? <ServerMessage message={fault.message} /> : problem && explain(problem)}
      />
    </section>
  );
}

/** The keys, each with when it was used last, and a button that deletes it. */
function KeyRows({
  keys,
  isBusy,
  onRemove,
}: {
  keys: ApiKey[];
  isBusy: boolean;
  onRemove: (id: string) => void;
}) {
  const { t, day } = useLanguage();
  return (
    <ul className="rows">
      {keys.length === 0 && <li className="hint">{t('profile.keys.none')}</li>}
      {keys.map((key) => (
        <li key={key.id} className="row">
          <KeyRound aria-hidden />
          <span>
            <strong>{key.name}</strong>
            <small>
              <code>{key.prefix}…</code> ·{' '}
              {key.lastUseDate
                ? t('profile.keys.used', { date: day(key.lastUseDate) })
                : t('profile.keys.unused')}
            </small>
          </span>
          <button
            className="icon-button"
            aria-label={t('profile.keys.delete', { name: key.name })}
            disabled={isBusy}
            onClick={() => onRemove(key.id)}
          >
            <Trash2 aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The secret of a key that was just created: the server shows it this once. */
function NewSecret({ secret }: { secret: string }) {
  const { t } = useLanguage();
  const toast = useToast();
  const copy = async () => {
    if (await copyText(secret)) toast({ text: t('profile.keys.copied') });
  };
  return (
    <div className="secret" role="status">
      <p>{t('profile.keys.new')}</p>
      <code>{secret}</code>
      <button className="button small" onClick={() => void copy()}>
        <Copy aria-hidden /> {t('profile.keys.copy')}
      </button>
    </div>
  );
}
