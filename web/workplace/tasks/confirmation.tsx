import { CircleAlert, CircleCheck, Hourglass } from 'lucide-react';
import type { TaskDetailed } from '../../api-client/types.js';
import { useLanguage } from '../translations/i18n.js';

const ICONS = { pending: Hourglass, confirmed: CircleCheck };

/** The state of a decision's confirmation by the engine. Screen readers announce changes. */
export function Confirmation({ task: { confirmation } }: { task: TaskDetailed }) {
  const { t } = useLanguage();
  const isShown = confirmation === 'pending' || confirmation === 'confirmed';
  const Icon = isShown ? ICONS[confirmation] : undefined;
  return (
    <p role="status" className="confirmation">
      {Icon && (
        <>
          <Icon aria-hidden /> {t(`confirmation.${confirmation!}`)}
        </>
      )}
    </p>
  );
}

/** The reason why a task is open again: the engine has refused the last decision. */
export function Refusal({ task: { confirmation, refusalReason } }: { task: TaskDetailed }) {
  const { t } = useLanguage();
  return (
    <div role="alert">
      {confirmation === 'refused' && (
        <section className="card closure refused" aria-label={t('confirmation.refused')}>
          <CircleAlert aria-hidden />
          <div>
            <strong>{t('confirmation.refused.again')}</strong>
            <blockquote className="prose">{refusalReason}</blockquote>
          </div>
        </section>
      )}
    </div>
  );
}
