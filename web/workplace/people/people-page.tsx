import { useEffect, useMemo, useState } from 'react';
import { getAll } from '../../api-client/all-pages.js';
import type { Organization } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { Page } from '../components/page.js';
import { Ready } from '../components/ready.js';
import { useLanguage } from '../translations/i18n.js';
import { OrganizationTree } from './organization-tree.js';
import { branchesOf, pathTo } from './organizations.js';
import { choiceIn, type PeopleChoice, searchOf } from './people-choice.js';
import { PeopleFilters } from './people-filters.js';
import { PeopleList } from './people-list.js';

const ORGANIZATIONS = '/api/v2/directory/organizations';

/** The directory of people, filtered by text and by the tree of organizations. */
export function PeoplePage() {
  const { t } = useLanguage();
  const [choice, setChoice] = useState(() => choiceIn(location.search));
  const change = (next: Partial<PeopleChoice>) => setChoice({ ...choice, start: 0, ...next });
  // The way back from a person leads to the same choice.
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname + searchOf(choice));
  }, [choice]);
  const loaded = useLoad('organizations', (signal) =>
    getAll<Organization>(ORGANIZATIONS, { sorter: 'label', filters: 'active:eq:true' }, signal),
  );
  const branches = useMemo(() => branchesOf(loaded.value ?? []), [loaded.value]);
  const path = useMemo(() => pathTo(choice.organization, branches), [choice, branches]);
  return (
    <Page
      name={t('people.title')}
      lead={path.length > 0 && <OrganizationPath labels={path.map(({ label }) => label)} />}
    >
      <div className="people-page">
        <details className="card tree" open={isWide()}>
          <summary>{t('people.organizations')}</summary>
          <nav aria-label={t('people.organizations')}>
            <Ready loaded={loaded}>
              {() => (
                <OrganizationTree
                  branches={branches}
                  chosen={choice.organization}
                  path={path.map(({ id }) => id)}
                  choose={(organization) => change({ organization })}
                />
              )}
            </Ready>
          </nav>
        </details>
        <div>
          <PeopleFilters choice={choice} change={change} />
          <PeopleList choice={choice} change={change} />
        </div>
      </div>
    </Page>
  );
}

/** Whether the tree has a column of its own. */
const isWide = (): boolean => matchMedia('(min-width: 60rem)').matches;

function OrganizationPath({ labels }: { labels: string[] }) {
  return (
    <ol className="path">
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ol>
  );
}
