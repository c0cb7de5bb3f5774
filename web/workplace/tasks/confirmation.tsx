import { CircleAlert, CircleCheck, Hourglass } from 'lucide-react';
import type { TaskDetailed } from '../../api-client/types.js';
import { useLanguage } from '../translations/i18n.js';

const ICONS = { pending: Hourglass, confirmed: CircleCheck };

/** What the engine says about a decision. Screen readers hear it when it changes. */
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

/** Why a task is open again: the engine has refused what somebody had decided. */
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
