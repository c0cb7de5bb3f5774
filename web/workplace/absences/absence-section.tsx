import { useRef } from 'react';
import { useAction } from '../../account/use-action.js';
import { send } from '../../api-client/api.js';
import type { Absence } from '../../api-client/types.js';
import { FormProblem } from '../components/form-problem.js';
import { Ready } from '../components/ready.js';
import { useLanguage } from '../translations/i18n.js';
import { useWorkplace } from '../workplace-context.js';
import { AbsenceForm } from './absence-form.js';
import { useAbsences } from './absences-context.js';

/** The absences of the person, with their substitutes. */
export function AbsenceSection() {
  const { t } = useLanguage();
  const loaded = useAbsences();
  const { refresh } = useWorkplace();
  const heading = useRef<HTMLHeadingElement>(null);
  const changed = () => {
    loaded.reload();
    refresh();
  };
  return (
    <section className="card" aria-label={t('away.title')}>
      <h2 ref={heading} tabIndex={-1}>
        {t('away.title')}
      </h2>
      <p className="hint">{t('away.lead')}</p>
      <Ready loaded={loaded}>
        {(absences) => (
          <OwnAbsences
            absences={absences}
            changed={changed}
            removed={() => heading.current?.focus()}
          />
        )}
      </Ready>
      <AbsenceForm changed={changed} />
    </section>
  );
}

function OwnAbsences({
  absences,
  changed,
  removed,
}: {
  absences: Absence[];
  changed: () => void;
  /** The pressed button disappears with its absence. */
  removed: () => void;
}) {
  const { t, moment, problem: explain } = useLanguage();
  const { isBusy, problem, act } = useAction();
  if (absences.length === 0) return null;
  const end = async ({ uri }: Absence) => {
    const isDone = await act(() => send(`/api/v2${uri}`, { method: 'DELETE' }), t('away.ended'));
    changed();
    if (isDone) removed();
  };
  return (
    <>
      <FormProblem text={problem && explain(problem)} />
      <ul className="rows">
        {absences.map((absence) => {
          const { id, startDate, endDate, substitute, applicationTitle, active } = absence;
          const period = `${moment(startDate)} – ${moment(endDate)}`;
          return (
            <li key={id} className="row">
              <span>
                <strong>
                  {period} {active && <span className="chip open">{t('away.active')}</span>}
                </strong>
                <small>
                  {t('away.substitute.of', { name: substitute.label })}
                  {applicationTitle !== null && ` · ${applicationTitle}`}
                </small>
              </span>
              <button
                type="button"
                className="button small"
                disabled={isBusy}
                aria-label={t('away.end.of', { period })}
                onClick={() => void end(absence)}
              >
                {t(active ? 'away.end' : 'away.delete')}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
