import { Copy } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { copyText } from '../../account/copy-text.js';
import type { NewApiKeyProps } from '../../account/use-api-keys.js';
import { ApiProblem } from '../../api-client/api.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';

/** The name of a key to create, below the secret of the last one. */
export function NewApiKey({ isBusy, create, secret }: NewApiKeyProps) {
  const { t } = useLanguage();
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setFault(undefined);
    const key = { name: name.trim(), expiration: null, addresses: null };
    const explains = (error: unknown) => {
      const message = error instanceof ApiProblem ? error.fields[0]?.message : undefined;
      setFault(message);
      return message !== undefined;
    };
    if (await create(key, explains)) setName('');
  };
  return (
    <>
      {secret !== undefined && <Secret secret={secret} />}
      <form onSubmit={(event) => void submit(event)} className="inline-form">
        <label className="field">
          <span>{t('keys.name')}</span>
          <input
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <button className="button" disabled={isBusy || name.trim() === ''}>
          {t('keys.create')}
        </button>
      </form>
      <FormProblem text={fault === undefined ? undefined : <ServerMessage message={fault} />} />
    </>
  );
}

/** The secret of a key that was just created; the server shows it only then. */
function Secret({ secret }: { secret: string }) {
  const { t } = useLanguage();
  const toast = useToast();
  const copy = async () => {
    if (await copyText(secret)) toast({ text: t('keys.copied') });
  };
  return (
    <div className="secret" role="status">
      <p>{t('keys.once')}</p>
      <code>{secret}</code>
      <button className="button small" onClick={() => void copy()}>
        <Copy aria-hidden /> {t('keys.copy')}
      </button>
    </div>
  );
}
