import { Inbox } from 'lucide-react';
import { type ApiProblem, get } from '../../api-client/api.js';
import { en } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';
import { textIn, type Translated } from '../translations/text-in.js';
import type { WorkplaceApplication, Ref, View } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { Empty } from '../components/empty.js';
import { Page } from '../components/page.js';
import { Ready } from '../components/ready.js';
import { Link, pageOf } from '../router.js';
import { useWorkplace } from '../workplace-context.js';
import { Tasks } from './tasks.js';

/** The default columns of a view, if it names none that the page can show. */
const USUAL_COLUMNS = ['title', 'priority', 'dueDate', 'assignee', 'status'];

/** The tasks behind a tile: the rows of its application's view. */
export function TaskListPage({ id }: { id: string }) {
  const { t, locale } = useLanguage();
  const { categories } = useWorkplace();
  const loaded = useLoad(id, async (signal) => {
    const application = await get<Translated & { view: Ref | null }>(
      `/api/v2/navigation/applications/${encodeURIComponent(id)}`,
      signal,
    );
    const view =
      application.view && (await get<View & Translated>(`/api/v2${application.view.uri}`, signal));
    return { application, view };
  });
  const tile = categories
    ?.flatMap(({ applications }) => applications)
    .find((one) => one.id === `/navigation/applications/${id}`);
  const application = loaded.value?.application;
  const name = application ? textIn(application, 'title', locale) : tile?.title;
  return (
    <Page
      name={name ?? t(nameWithout(loaded.problem))}
      lead={loaded.value?.view && <p>{textIn(loaded.value.view, 'label', locale)}</p>}
      aside={tile && <HelpLink tile={tile} />}
    >
      <Ready loaded={loaded}>
        {({ view }) =>
          view ? (
            <Tasks
              path={`/api/v2${view.uri}/records`}
              columns={columnsOf(view)}
              sorter={view.sorter ?? ''}
            />
          ) : (
            <Empty icon={Inbox} title={t('tasks.no-view')} />
          )
        }
      </Ready>
    </Page>
  );
}

/** The title of the page until the application has loaded. */
function nameWithout(problem: ApiProblem | undefined) {
  if (!problem) return 'loading';
  return problem.status === 404 ? 'missing.title' : 'column.application';
}

function HelpLink({ tile: { helpLinkJS } }: { tile: WorkplaceApplication }) {
  const { t } = useLanguage();
  if (helpLinkJS === '') return null;
  const path = pageOf(helpLinkJS);
  return path === undefined ? (
    <a className="button" href={helpLinkJS}>
      {t('tasks.help')}
    </a>
  ) : (
    <Link className="button" to={path}>
      {t('tasks.help')}
    </Link>
  );
}

function columnsOf({ columns }: View): string[] {
  const known = (columns ?? []).filter((name) => `column.${name}` in en);
  if (known.length === 0) return USUAL_COLUMNS;
  // The task itself comes first, whatever the view.
  return ['title', ...known.filter((name) => name !== 'title')];
}
