import { CircleHelp } from 'lucide-react';
import { useLanguage } from '../translations/i18n.js';
import { useLoad } from '../../api-client/use-load.js';
import { Empty } from '../components/empty.js';
import { Page } from '../components/page.js';
import { Ready } from '../components/ready.js';
import { Link, pageOf } from '../router.js';
import { searchPage } from '../search/search-sections.js';

/** Help about a topic, e.g. `leave`: the questions and answers that contain it. */
export function HelpPage({ topic }: { topic: string }) {
  const { t } = useLanguage();
  const found = useLoad(topic, (signal) => searchPage('workplace_faq_search', topic, signal));
  return (
    <Page title="help.title" lead={<p>{t('help.lead', { topic })}</p>}>
      <Ready loaded={found}>
        {({ records }) =>
          records.length === 0 ? (
            <Empty icon={CircleHelp} title={t('help.none')} />
          ) : (
            <ul className="card rows">
              {records.map(({ ID, TITLE, HYPERLINK, answer }) => (
                <li key={ID}>
                  <Link to={pageOf(HYPERLINK) ?? ''}>{TITLE}</Link>
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
