import { CircleHelp } from 'lucide-react';
import { get, query } from '../api-client/api.js';
import { useLanguage } from './i18n.js';
import type { SearchEnvelope } from '../api-client/types.js';
import { useLoad } from './use-load.js';
import { Empty, Page, Ready } from './parts.js';
import { Link, readLink } from './router.js';

/** Help about a topic, e.g. `leave`: the questions and answers in which it occurs. */
export function HelpPage({ topic }: { topic: string }) {
  const { t } = useLanguage();
  const found = useLoad(topic, (signal) =>
    get<SearchEnvelope>(
      `/navigation/search/workplace${query({ searchName: 'workplace_faq_search', searchField: 'quickSearch', query: topic })}`,
      signal,
    ),
  );
  return (
    <Page title="help.title" lead={<p>{t('help.lead', { topic })}</p>}>
      <Ready loaded={found}>
        {({ data = [] }) =>
          data.length === 0 ? (
            <Empty icon={CircleHelp} title={t('help.none')} />
          ) : (
            <ul className="card rows">
              {data.map(({ ID, TITLE, HYPERLINK, answer }) => (
                <li key={ID}>
                  <Link to={readLink(HYPERLINK).path ?? ''}>{TITLE}</Link>
                  <p>{String(answer)}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Ready>
    </Page>
  );
}
