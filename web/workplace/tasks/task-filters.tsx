import { Toolbar, ToolbarSelect } from '../components/toolbar.js';
import { useLanguage } from '../translations/i18n.js';
import { useWorkplace } from '../workplace-context.js';
import { type ApplicationChoice, type Choice, titleIn } from './task-choice.js';

/** @param applications to choose from, in a list of several applications */
export function TaskFilters({
  choice: { text, due, whom, application },
  change,
  applications,
}: {
  choice: Choice;
  change: (next: Partial<Choice>) => void;
  applications?: ApplicationChoice[];
}) {
  const { t } = useLanguage();
  return (
    <Toolbar
      label={t('tasks.filter')}
      text={text}
      changeText={(changed) => change({ text: changed })}
      chosen={[due !== 'any', whom !== 'any', application !== ''].filter(Boolean).length}
    >
      {applications && (
        <ApplicationSelect
          applications={applications}
          chosen={application}
          choose={(value) => change({ application: value })}
        />
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

function ApplicationSelect({
  applications,
  chosen,
  choose,
}: {
  applications: ApplicationChoice[];
  chosen: string;
  choose: (key: string) => void;
}) {
  const { t } = useLanguage();
  const { categories } = useWorkplace();
  const tile = categories
    ?.flatMap((category) => category.applications)
    .find(({ id }) => id === `/navigation/applications/${chosen}`);
  return (
    <ToolbarSelect label={t('column.application')} value={chosen} choose={choose}>
      <option value="">{t('tasks.application.any')}</option>
      {/* The chosen one stays, also before the counts are there and after its last task. */}
      {chosen !== '' && !applications.some(({ key }) => key === chosen) && (
        <option value={chosen}>{titleIn(chosen) ?? tile?.title ?? '…'}</option>
      )}
      {applications.map(({ key, title, count }) => (
        <option key={key} value={key}>
          {t('tasks.application.count', { title, count })}
        </option>
      ))}
    </ToolbarSelect>
  );
}
