import { Palmtree } from 'lucide-react';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { useAbsences } from './absences-context.js';

/** Reminds people on every page of their absence and its substitute. */
export function AwayBanner() {
  const { t, moment } = useLanguage();
  const { value = [] } = useAbsences();
  const current = value.filter(({ active }) => active);
  if (current.length === 0) return null;
  return (
    <div className="away-banner" role="status">
      <Palmtree aria-hidden />
      <ul>
        {current.map(({ id, endDate, substitute, applicationTitle }) => {
          const values = { date: moment(endDate), name: substitute.label };
          return (
            <li key={id}>
              {applicationTitle === null
                ? t('away.now', values)
                : t('away.now.application', { ...values, application: applicationTitle })}
            </li>
          );
        })}
      </ul>
      <Link to="profile">{t('away.change')}</Link>
    </div>
  );
}
