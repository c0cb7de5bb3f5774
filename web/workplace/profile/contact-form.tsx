import { type ComponentProps, type SyntheticEvent, useState } from 'react';
import { PHONE_PATTERN } from '../../account/phone-number.js';
import { useAction } from '../../account/use-action.js';
import { patch } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { useMe } from '../workplace-context.js';

/** The attributes that people may change of themselves, with their maximum lengths. */
const FIELDS = [
  ['phoneNumber', 'user.phone', 50, 'tel'],
  ['mobilePhoneNumber', 'user.mobile', 50, 'tel'],
  ['nickName', 'user.nick-name', 100, 'nickname'],
] as const;

const NAMES = [...FIELDS.map(([name]) => name), 'description'] as const;

export function ContactForm() {
  const { t, problem: explain } = useLanguage();
  const { me } = useMe();
  const { isBusy, problem, act } = useAction();
  const faultOf = (name: string) => {
    const fault = problem?.fields.find((field) => field.name.endsWith(name));
    return fault && <ServerMessage fault={fault} />;
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const operations = NAMES.map((name) => ({ name, text: form.get(name) as string }))
      // An administrator may have changed the other attributes meanwhile.
      .filter(({ name, text }) => text !== (me[name] ?? ''))
      .map(({ name, text }) => ({ op: 'replace', path: `/${name}`, value: text.trim() || null }));
    void act(() => patch(`/api/v2/directory/users/${me.id}`, operations), t('saved'));
  };
  return (
    <section className="card" aria-label={t('profile.contact')}>
      <h2>{t('profile.contact')}</h2>
      <form onSubmit={submit}>
        <FormProblem text={problem && problem.fields.length === 0 ? explain(problem) : undefined} />
        {FIELDS.map(([name, label, max, autoComplete]) => (
          <label key={name} className="field">
            <span>{t(label)}</span>
            <Input
              name={name}
              defaultValue={me[name] ?? ''}
              maxLength={max}
              autoComplete={autoComplete}
              aria-invalid={faultOf(name) !== undefined}
            />
            {faultOf(name) && <small className="fault">{faultOf(name)}</small>}
          </label>
        ))}
        <label className="field">
          <span>{t('user.description')}</span>
          <textarea
            name="description"
            defaultValue={me.description ?? ''}
            maxLength={2000}
            rows={3}
            aria-invalid={faultOf('description') !== undefined}
          />
          {faultOf('description') && <small className="fault">{faultOf('description')}</small>}
        </label>
        <button className="button primary" disabled={isBusy}>
          {t('save')}
        </button>
      </form>
    </section>
  );
}

/** A field. The page checks only a new telephone number, because a stored one may come from another system. */
function Input(props: ComponentProps<'input'>) {
  const { t } = useLanguage();
  const [isChanged, setChanged] = useState(false);
  if (props.autoComplete !== 'tel') return <input {...props} />;
  return (
    <input
      {...props}
      type="tel"
      onChange={({ target }) => setChanged(target.value !== target.defaultValue)}
      pattern={isChanged ? PHONE_PATTERN : undefined}
      // The browser shows it for a value that does not match.
      title={t('profile.phone.hint')}
    />
  );
}
