import { Search } from 'lucide-react';
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
    <div className="toolbar" role="search" aria-label={t('people.filter')}>
      <div className="filter">
        <Search aria-hidden />
        <input
          type="search"
          value={text}
          aria-label={t('people.filter')}
          placeholder={t('people.filter')}
          onChange={({ target }) => change({ text: target.value })}
        />
      </div>
      <label>
        <span>{t('people.in')}</span>
        <select
          value={field}
          onChange={({ target }) => change({ field: target.value as PeopleChoice['field'] })}
        >
          <option value="title">{t('people.in.title')}</option>
          <option value="userFunction">{t('people.in.userFunction')}</option>
        </select>
      </label>
      <label>
        <span>{t('people.order')}</span>
        <select value={order} onChange={({ target }) => change({ order: target.value as Order })}>
          {(Object.keys(ORDERS) as Order[]).map((one) => (
            <option key={one} value={one}>
              {t(`people.order.${one}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
