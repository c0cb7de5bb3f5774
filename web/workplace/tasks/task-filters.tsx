import { Toolbar, ToolbarSelect } from '../components/toolbar.js';
import { useLanguage } from '../translations/i18n.js';
import type { Choice, TitleCount } from './task-choice.js';

/** @param applications to choose from, in a list of several applications */
export function TaskFilters({
  choice: { text, due, whom, application },
  change,
  applications,
}: {
  choice: Choice;
  change: (next: Partial<Choice>) => void;
  applications?: TitleCount[];
}) {
  const { t } = useLanguage();
  return (
    <Toolbar
      label={t('tasks.filter')}
      text={text}
      changeText={(changed) => change({ text: changed })}
    >
      {applications && (
        <ToolbarSelect
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
        </ToolbarSelect>
      )}
      <ToolbarSelect
        label={t('tasks.due')}
        value={due}
        choose={(value) => change({ due: value as Choice['due'] })}
      >
        {(['any', 'overdue', 'week'] as const).map((one) => (
          <option key={one} value={one}>
            {t(`tasks.due.${one}`)}
          </option>
        ))}
      </ToolbarSelect>
      <ToolbarSelect
        label={t('tasks.for')}
        value={whom}
        choose={(value) => change({ whom: value as Choice['whom'] })}
      >
        {(['any', 'me', 'groups'] as const).map((one) => (
          <option key={one} value={one}>
            {t(`tasks.for.${one}`)}
          </option>
        ))}
      </ToolbarSelect>
    </Toolbar>
  );
}
