import { UserRoundPlus } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { useAction } from '../../account/use-action.js';
import { type ApiProblem, post } from '../../api-client/api.js';
import type { User } from '../../api-client/types.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { PeopleDialog } from '../people/people-picker.js';
import { useLanguage } from '../translations/i18n.js';
import { useWorkplace } from '../workplace-context.js';

/** The value of a field of date and time, in the time zone of the browser. */
const timestampIn = (value: string): string | null =>
  value === '' ? null : new Date(value).toISOString();

/** Creates an absence; without a start date it begins at once. */
export function AbsenceForm({ changed }: { changed: () => void }) {
  const { t } = useLanguage();
  const { isBusy, problem, act } = useAction();
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const [substitute, setSubstitute] = useState<User>();
  const [isChoosing, setChoosing] = useState(false);
  const [application, setApplication] = useState('');
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const absence = {
      substitute: substitute?.uri ?? null,
      startDate: timestampIn(start) ?? new Date().toISOString(),
      endDate: timestampIn(end),
      application: application || null,
    };
    if (!(await act(() => post('/api/v2/process/absences', absence), t('saved')))) return;
    for (const clear of [setStart, setEnd, setApplication]) clear('');
    setSubstitute(undefined);
    changed();
  };
  return (
    <>
      <form onSubmit={(event) => void submit(event)}>
        <FormProblem text={problem && <Refusal problem={problem} />} />
        <div className="field-pair">
          <Moment name="startDate" value={start} set={setStart} problem={problem} />
          <Moment name="endDate" value={end} set={setEnd} problem={problem} />
        </div>
        <div className="field">
          <span>{t('away.substitute')}</span>
          <button type="button" className="button" onClick={() => setChoosing(true)}>
            <UserRoundPlus aria-hidden /> {substitute?.title ?? t('away.substitute.choose')}
          </button>
          <FieldFault name="substitute" problem={problem} />
        </div>
        <Application uri={application} choose={setApplication} />
        <button className="button primary" disabled={isBusy || end === '' || !substitute}>
          {t('away.enter')}
        </button>
      </form>
      {/* Outside the form, which Enter in the search would submit. */}
      {isChoosing && (
        <PeopleDialog
          title={t('away.substitute.choose')}
          choose={(chosen) => {
            setSubstitute(chosen);
            setChoosing(false);
          }}
          close={() => setChoosing(false)}
        />
      )}
    </>
  );
}

/** The server's message about no single field: two absences conflict. */
function Refusal({ problem }: { problem: ApiProblem }) {
  const { problem: explain } = useLanguage();
  const { status, fields } = problem;
  if (fields.length > 0) return undefined;
  return status === 409 ? <ServerMessage fault={problem} /> : explain(problem);
}

function FieldFault({ name, problem }: { name: string; problem: ApiProblem | undefined }) {
  const fault = problem?.fields.find((field) => field.name === name);
  if (!fault) return null;
  return (
    <small className="fault">
      <ServerMessage fault={fault} />
    </small>
  );
}

function Moment({
  name,
  value,
  set,
  problem,
}: {
  name: 'startDate' | 'endDate';
  value: string;
  set: (value: string) => void;
  problem: ApiProblem | undefined;
}) {
  const { t } = useLanguage();
  return (
    <label className="field">
      <span>{t(`away.${name}`)}</span>
      <input type="datetime-local" value={value} onChange={({ target }) => set(target.value)} />
      {name === 'startDate' && <small>{t('away.startDate.help')}</small>}
      <FieldFault name={name} problem={problem} />
    </label>
  );
}

/** The applications on the person's home page. */
function Application({ uri, choose }: { uri: string; choose: (uri: string) => void }) {
  const { t } = useLanguage();
  const { categories = [] } = useWorkplace();
  const applications = new Map(
    categories.flatMap((category) => category.applications.map(({ id, title }) => [id, title])),
  );
  return (
    <label className="field">
      <span>{t('away.application')}</span>
      <select value={uri} onChange={({ target }) => choose(target.value)}>
        <option value="">{t('away.application.all')}</option>
        {[...applications].map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
