import { Toolbar, ToolbarSelect } from '../components/toolbar.js';
import { useLanguage } from '../translations/i18n.js';
import { ORDERS, type Order, type PeopleChoice } from './people-choice.js';

/** The filter by text and the order of the directory. */
export function PeopleFilters({
  choice: { text, field, order },
  change,
}: {
  choice: PeopleChoice;
  change: (next: Partial<PeopleChoice>) => void;
}) {
  const { t } = useLanguage();
  return (
    <Toolbar
      label={t('people.filter')}
      text={text}
      changeText={(changed) => change({ text: changed })}
    >
      <ToolbarSelect
        label={t('people.in')}
        value={field}
        choose={(value) => change({ field: value as PeopleChoice['field'] })}
      >
        <option value="title">{t('people.in.title')}</option>
        <option value="userFunction">{t('people.in.userFunction')}</option>
      </ToolbarSelect>
      <ToolbarSelect
        label={t('people.order')}
        value={order}
        choose={(value) => change({ order: value as Order })}
      >
        {(Object.keys(ORDERS) as Order[]).map((one) => (
          <option key={one} value={one}>
            {t(`people.order.${one}`)}
          </option>
        ))}
      </ToolbarSelect>
    </Toolbar>
  );
}
