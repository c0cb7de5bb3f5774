import { Copy, Fingerprint, Smartphone, Trash2 } from 'lucide-react';
import { type SyntheticEvent, useRef, useState } from 'react';
import { copyText } from '../../account/copy-text.js';
import { deviceOf } from '../../account/device.js';
import { type ApiProblem, get, post, send } from '../../api-client/api.js';
import { addPasskey, isDeclined, isKnownDevice, knowsPasskeys } from '../../api-client/passkeys.js';
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

/** Longest name of a passkey. */
const MAX_NAME = 100;

interface ConfirmedStep {
  recoveryCodes: string[] | null;
}

/** Why a second step could not be added or removed; the device may have a passkey already. */
type Failure = ApiProblem | 'known device';

/**
 * The second steps of one's own sign-in: passkeys, an authenticator app, and recovery codes.
 * @param onDone runs when the person has added one and kept the codes
 */
export function SecondStepSection({ onDone }: { onDone?: () => void }) {
  const { t } = useLanguage();
  const { value, problem, reload } = useLoad('second-steps', (signal) =>
    get<SecondStep[]>(PATH, signal),
  );
  const [secret, setSecret] = useState<CodeSecret>();
  const [codes, setCodes] = useState<string[]>();
  const [isNaming, setNaming] = useState(false);
  const [failed, setFailed] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailed(undefined);
    await work().catch((error: unknown) => {
      if (isKnownDevice(error)) setFailed('known device');
      else if (!isDeclined(error)) setFailed(toProblem(error));
    });
    setBusy(false);
  };
  const begin = () => act(async () => setSecret(await post(`${PATH}/authenticator-app`)));
  const finish = ({ recoveryCodes }: ConfirmedStep) => {
    setSecret(undefined);
    setNaming(false);
    setCodes(recoveryCodes ?? undefined);
    reload();
    if (recoveryCodes === null) onDone?.();
  };
  const confirm = (code: string) =>
    act(async () => finish(await post(`${PATH}/authenticator-app/confirmation`, { code })));
  const makePasskey = (name: string) => act(async () => finish(await addPasskey(PATH, name)));
  const renew = () =>
    act(async () => setCodes((await post<ConfirmedStep>(`${PATH}/recovery-codes`)).recoveryCodes!));
  const remove = (id: string) =>
    act(async () => {
      await send(`${PATH}/${id}`, { method: 'DELETE' });
      setCodes(undefined);
      reload();
    });
  const hasApp = value?.some(({ kind }) => kind === 'authenticator-app') === true;
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
          {value.map((step) => (
            <StepRow key={step.id} step={step} onRemove={() => void remove(step.id)} />
          ))}
        </Rows>
      )}
      <StepProblem failed={failed} />
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
      {isNaming && <PasskeyForm isBusy={isBusy} onName={makePasskey} />}
      {!secret && !codes && !isNaming && value && (
        <div className="buttons">
          {knowsPasskeys && (
            <button className="button" disabled={isBusy} onClick={() => setNaming(true)}>
              {t('passkey.add')}
            </button>
          )}
          <button className="button" disabled={isBusy} onClick={() => void begin()}>
            {t(hasApp ? 'second-step.replace' : 'second-step.add')}
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

function StepProblem({ failed }: { failed: Failure | undefined }) {
  const { t, problem: explain } = useLanguage();
  if (failed === 'known device') return <FormProblem text={t('passkey.known')} />;
  const [fault] = failed?.fields ?? [];
  return (
    <FormProblem text={failed && (fault ? <ServerMessage fault={fault} /> : explain(failed))} />
  );
}

/** One second step: a passkey by its name, or the app. */
function StepRow({ step, onRemove }: { step: SecondStep; onRemove: () => void }) {
  const { t, moment } = useLanguage();
  const { name, creationDate, lastUseDate } = step;
  return (
    <Row
      icon={name === null ? Smartphone : Fingerprint}
      title={name ?? t('second-step.app')}
      details={[
        t('keys.created', { date: moment(creationDate) }),
        ...(lastUseDate === null ? [] : [t('keys.used', { date: moment(lastUseDate) })]),
      ].join(' · ')}
      action={
        <IconButton
          icon={Trash2}
          label={name === null ? t('second-step.remove') : t('passkey.remove', { name })}
          onClick={onRemove}
        />
      }
    />
  );
}

interface PasskeyFormProps {
  isBusy: boolean;
  onName: (name: string) => Promise<void>;
}

/** Names a new passkey, by default after the device. */
function PasskeyForm({ isBusy, onName }: PasskeyFormProps) {
  const { t } = useLanguage();
  const field = useRef<HTMLInputElement>(null);
  const { browser, system } = deviceOf(navigator.userAgent) ?? {};
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void onName(field.current!.value);
  };
  return (
    <form onSubmit={submit}>
      <label className="field">
        <span>{t('passkey.name')}</span>
        <input
          ref={field}
          name="name"
          defaultValue={[browser, system].filter(Boolean).join(' · ')}
          maxLength={MAX_NAME}
          required
          autoFocus
        />
      </label>
      <button className="button primary" disabled={isBusy}>
        {t('passkey.make')}
      </button>
    </form>
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
