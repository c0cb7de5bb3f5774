import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WaitingCounts } from '../../api-client/types.js';
import { useLanguage } from '../translations/i18n.js';
import type { Choice } from './task-choice.js';

/** @param applications to choose from, in a list of several applications */
export function TaskFilters({
  choice: { text, due, whom, application },
  change,
  applications,
}: {
  choice: Choice;
  change: (next: Partial<Choice>) => void;
  applications?: WaitingCounts['applications'];
}) {
  const { t } = useLanguage();
  return (
    <div className="toolbar" role="search" aria-label={t('tasks.filter')}>
      <div className="filter">
        <Search aria-hidden />
        <input
          type="search"
          value={text}
          aria-label={t('tasks.filter')}
          placeholder={t('tasks.filter')}
          onChange={({ target }) => change({ text: target.value })}
        />
      </div>
      {applications && (
        <Select
          label={t('column.application')}
          value={application}
          choose={(value) => change({ application: value })}
        >
          <option value="">{t('tasks.application.any')}</option>
          {/* The chosen one stays, also before the counts are there and after its last task. */}
          {application !== '' && !applications.some(({ title }) => title === application) && (
            <option value={application}>{application}</option>
          )}
          {applications.map(({ title, count }) => (
            <option key={title} value={title}>
              {t('tasks.application.count', { title, count })}
            </option>
          ))}
        </Select>
      )}
      <Select
        label={t('tasks.due')}
        value={due}
        choose={(value) => change({ due: value as Choice['due'] })}
      >
        {(['any', 'overdue', 'week'] as const).map((one) => (
          <option key={one} value={one}>
            {t(`tasks.due.${one}`)}
          </option>
        ))}
      </Select>
      <Select
        label={t('tasks.for')}
        value={whom}
        choose={(value) => change({ whom: value as Choice['whom'] })}
      >
        {(['any', 'me', 'groups'] as const).map((one) => (
          <option key={one} value={one}>
            {t(`tasks.for.${one}`)}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Select({
  label,
  value,
  choose,
  children,
}: {
  label: string;
  value: string;
  choose: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ target }) => choose(target.value)}>
        {children}
      </select>
    </label>
  );
}
