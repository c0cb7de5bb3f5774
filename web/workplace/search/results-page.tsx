import { ChevronDown, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { ApiProblem } from '../../api-client/api.js';
import { toProblem, useLoad } from '../../api-client/use-load.js';
import { Empty } from '../components/empty.js';
import { FormProblem } from '../components/form-problem.js';
import { Page } from '../components/page.js';
import { Ready } from '../components/ready.js';
import { useLanguage } from '../translations/i18n.js';
import { DidYouMean } from './did-you-mean.js';
import { Hit } from './hit.js';
import { type FoundSection, searchEverything, searchPage } from './search-sections.js';

/** Number of results that a section shows at first. "More" adds the rest of its first page and the next pages. */
const FIRST_SHOWN = 5;

/** All results for a text, in sections, the one with the best match first. */
export function ResultsPage({ text }: { text: string }) {
  const { t } = useLanguage();
  const loaded = useLoad(text, (signal) =>
    text.trim() === '' ? Promise.resolve([]) : searchEverything(text, signal),
  );
  return (
    <Page name={text === '' ? t('search.title') : t('search.title.of', { text })}>
      <Ready loaded={loaded}>
        {(sections) =>
          sections.length === 0 ? (
            <Empty
              icon={SearchX}
              title={text === '' ? t('search.placeholder') : t('search.none', { text })}
              hint={t('search.none.hint')}
            >
              {text.trim() !== '' && <DidYouMean text={text} />}
            </Empty>
          ) : (
            <div className="results">
              {sections.map((section) => (
                <ResultSection key={section.searchName} first={section} text={text} />
              ))}
            </div>
          )
        }
      </Ready>
    </Page>
  );
}

/** One section, which grows: first by the rest of its first page, then page by page. */
function ResultSection({ first, text }: { first: FoundSection; text: string }) {
  const { t, problem: explain } = useLanguage();
  const [{ records, shown, next }, setState] = useState({ ...first, shown: FIRST_SHOWN });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const more = async () => {
    if (shown < records.length) return setState({ ...first, records, next, shown: records.length });
    setBusy(true);
    try {
      const page = await searchPage(first.searchName, text, new AbortController().signal, next);
      // The best matches of the first page appear again in the order of titles.
      const known = new Set(records.map(({ ID }) => ID));
      const all = [...records, ...page.records.filter(({ ID }) => !known.has(ID))];
      setState({ ...first, records: all, shown: all.length, next: page.next });
      setProblem(undefined);
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  };
  const title = t(first.title);
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {records.slice(0, shown).map((record) => (
          <li key={record.ID}>
            <Hit record={record} details={first.details} query={text} />
          </li>
        ))}
      </ul>
      {problem && <FormProblem text={explain(problem)} />}
      {(shown < records.length || next !== undefined) && (
        <button className="hit more" disabled={isBusy} onClick={() => void more()}>
          <ChevronDown aria-hidden /> {t('search.more.of', { section: title })}
        </button>
      )}
    </section>
  );
}
