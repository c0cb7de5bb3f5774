import { Copy } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { copyText } from '../../account/copy-text.js';
import type { NewApiKeyProps } from '../../account/use-api-keys.js';
import { ApiProblem } from '../../api-client/api.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';

type FieldFault = ApiProblem['fields'][number];

/** The name of a key to create, below the secret of the last one. */
export function NewApiKey({ isBusy, create, secret }: NewApiKeyProps) {
  const { t } = useLanguage();
  const [name, setName] = useState('');
  const [expiration, setExpiration] = useState('');
  const [addresses, setAddresses] = useState('');
  const [fault, setFault] = useState<FieldFault>();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setFault(undefined);
    const key = {
      name: name.trim(),
      expiration: expiration === '' ? null : new Date(expiration).toISOString(),
      addresses: addresses.trim() || null,
    };
    const explains = (error: unknown) => {
      const found = error instanceof ApiProblem ? error.fields[0] : undefined;
      setFault(found);
      return found !== undefined;
    };
    if (!(await create(key, explains))) return;
    for (const clear of [setName, setExpiration, setAddresses]) clear('');
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
        <details className="key-limits">
          <summary>{t('keys.limits')}</summary>
          <label className="field">
            <span>{t('keys.expiration')}</span>
            <input
              type="datetime-local"
              value={expiration}
              onChange={({ target }) => setExpiration(target.value)}
            />
            <small>{t('keys.expiration.help')}</small>
          </label>
          <label className="field">
            <span>{t('keys.addresses')}</span>
            <input
              value={addresses}
              autoComplete="off"
              onChange={({ target }) => setAddresses(target.value)}
            />
            <small>{t('keys.addresses.help')}</small>
          </label>
        </details>
      </form>
      <FormProblem text={fault && <FaultOfKey fault={fault} />} />
    </>
  );
}

/** The server's faults of the fields, each after the field's label. */
function FaultOfKey({ fault }: { fault: FieldFault }) {
  const { t } = useLanguage();
  const { name } = fault;
  const isLimit = name === 'expiration' || name === 'addresses';
  return (
    <>
      {t(isLimit ? `keys.${name}` : 'keys.name')}: <ServerMessage fault={fault} />
    </>
  );
}

/** The secret of a new key, which the server shows only once. */
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
