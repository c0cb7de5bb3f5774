import { useState } from 'react';
import { get, query } from '../../api-client/api.js';
import type { Content } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { newsStateAt } from '../content/news-dates.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { TodayCard } from './today-card.js';

/** Number of news items on the home page. */
const SHOWN = 4;

/** The latest published news. Administrators find scheduled and expired items on the News page. */
const newsOf = (now: string): string =>
  `/api/v2/content/news${query({
    range: '0-20',
    sorter: '-publicationDate',
    filters: ['publicationDate:isnotempty', `publicationDate:lte:${now}`],
  })}`;

/** The card with the latest news, or nothing without any. */
export function NewsOfTheDay() {
  const { t, day } = useLanguage();
  const [now] = useState(() => new Date().toISOString());
  const { value = [] } = useLoad('news', (signal) => get<Content[]>(newsOf(now), signal));
  const news = value.filter((item) => newsStateAt(item, now) === 'out').slice(0, SHOWN);
  if (news.length === 0) return null;
  return (
    <TodayCard title={t('search.news')} more={{ to: 'news', label: t('home.news.all') }}>
      <ul className="rows">
        {news.map(({ id, label, summary, publicationDate }) => (
          <li key={id} className="news-item">
            <Link to={`news/${id}`} className="task-title">
              {label}
            </Link>
            <small>{day(publicationDate as string)}</small>
            {typeof summary === 'string' && <p>{summary}</p>}
          </li>
        ))}
      </ul>
    </TodayCard>
  );
}
