import { Copy, Smartphone, Trash2 } from 'lucide-react';
import { type SyntheticEvent, useRef, useState } from 'react';
import { copyText } from '../../account/copy-text.js';
import { type ApiProblem, get, post, send } from '../../api-client/api.js';
import type { CodeSecret, SecondStep } from '../../api-client/types.js';
import { toProblem, useLoad } from '../../api-client/use-load.js';
import { Problem } from '../components/empty.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { QrCode } from '../components/qr-code.js';
import { Skeleton } from '../components/ready.js';
import { useLanguage } from '../translations/i18n.js';
import { accountElements } from './account-elements.js';

const PATH = '/api/v2/directory/users/me/second-steps';
const { Section, Rows, Row, IconButton } = accountElements;

interface ConfirmedStep {
  recoveryCodes: string[] | null;
}

/**
 * The second step of one's own sign-in: an authenticator app, and recovery codes.
 * @param onDone runs when the person has added an app and kept the codes
 */
export function SecondStepSection({ onDone }: { onDone?: () => void }) {
  const { t, moment, problem: explain } = useLanguage();
  const { value, problem, reload } = useLoad('second-steps', (signal) =>
    get<SecondStep[]>(PATH, signal),
  );
  const [secret, setSecret] = useState<CodeSecret>();
  const [codes, setCodes] = useState<string[]>();
  const [failed, setFailed] = useState<ApiProblem>();
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailed(undefined);
    await work().catch((error: unknown) => setFailed(toProblem(error)));
    setBusy(false);
  };
  const begin = () => act(async () => setSecret(await post(`${PATH}/authenticator-app`)));
  const confirm = (code: string) =>
    act(async () => {
      const path = `${PATH}/authenticator-app/confirmation`;
      const { recoveryCodes } = await post<ConfirmedStep>(path, { code });
      setSecret(undefined);
      setCodes(recoveryCodes ?? undefined);
      reload();
      if (recoveryCodes === null) onDone?.();
    });
  const renew = () =>
    act(async () => setCodes((await post<ConfirmedStep>(`${PATH}/recovery-codes`)).recoveryCodes!));
  const remove = (id: string) =>
    act(async () => {
      await send(`${PATH}/${id}`, { method: 'DELETE' });
      setCodes(undefined);
      reload();
    });
  const [fault] = failed?.fields ?? [];
  return (
    <Section title={t('second-step')} lead={t('second-step.lead')}>
      {value === undefined ? (
        problem ? (
          <Problem problem={problem} onRetry={reload} />
        ) : (
          <Skeleton />
        )
      ) : (
        <Rows>
          {value.map(({ id, creationDate, lastUseDate }) => (
            <Row
              key={id}
              icon={Smartphone}
              title={t('second-step.app')}
              details={[
                t('keys.created', { date: moment(creationDate) }),
                ...(lastUseDate === null ? [] : [t('keys.used', { date: moment(lastUseDate) })]),
              ].join(' · ')}
              action={
                <IconButton
                  icon={Trash2}
                  label={t('second-step.remove')}
                  onClick={() => void remove(id)}
                />
              }
            />
          ))}
        </Rows>
      )}
      <FormProblem text={failed && (fault ? <ServerMessage fault={fault} /> : explain(failed))} />
      {codes && (
        <RecoveryCodes
          codes={codes}
          onKept={() => {
            setCodes(undefined);
            onDone?.();
          }}
        />
      )}
      {secret && <AppForm secret={secret} isBusy={isBusy} onCode={confirm} />}
      {!secret && !codes && value && (
        <div className="buttons">
          <button className="button" disabled={isBusy} onClick={() => void begin()}>
            {t(value.length > 0 ? 'second-step.replace' : 'second-step.add')}
          </button>
          {value.length > 0 && (
            <button className="button" disabled={isBusy} onClick={() => void renew()}>
              {t('second-step.renew')}
            </button>
          )}
        </div>
      )}
    </Section>
  );
}

interface AppFormProps {
  secret: CodeSecret;
  isBusy: boolean;
  onCode: (code: string) => Promise<void>;
}

/** What the app takes, and a field for its first code. */
function AppForm({ secret: { secret, uri }, isBusy, onCode }: AppFormProps) {
  const { t } = useLanguage();
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    await onCode(field.current!.value);
    field.current?.select();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p>{t('second-step.scan')}</p>
      <QrCode text={uri} label={t('second-step.qr')} />
      <p className="hint">
        {t('second-step.type')} <code>{secret.match(/.{1,4}/g)!.join(' ')}</code>
      </p>
      <label className="field">
        <span>{t('second-step.code')}</span>
        <input ref={field} name="code" inputMode="numeric" autoComplete="one-time-code" autoFocus />
      </label>
      <button className="button primary" disabled={isBusy}>
        {t('second-step.confirm')}
      </button>
    </form>
  );
}

/** The codes, which the server shows only once. */
function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useLanguage();
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="secret" role="status">
      <p>{t('second-step.codes')}</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="buttons">
        <button
          className="button small"
          onClick={() => void copyText(codes.join('\n')).then(setCopied)}
        >
          <Copy aria-hidden /> {t(isCopied ? 'keys.copied' : 'keys.copy')}
        </button>
        <button className="button small primary" onClick={onKept}>
          {t('second-step.kept')}
        </button>
      </div>
    </div>
  );
}
