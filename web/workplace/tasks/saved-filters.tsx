import { Bookmark, CircleAlert, Users } from 'lucide-react';
import { useRef, useState } from 'react';
import { patch, send } from '../../api-client/api.js';
import type { InboxFilter } from '../../api-client/types.js';
import { toProblem } from '../../api-client/use-load.js';
import { asSentence, translate } from '../../server-messages/translate.js';
import { Count } from '../components/count.js';
import { focusHeading } from '../components/focus-heading.js';
import { useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';
import { FilterDialog } from './filter-dialog.js';
import { type Choice, filtersOf, FIRST_CHOICE, isFiltered } from './task-choice.js';
import { choiceIn } from './filter-choice.js';
import type { OfferedFilters } from './use-inbox-filters.js';

interface Shown {
  choice: Choice;
  change: (next: Partial<Choice>) => void;
  saved: OfferedFilters;
}

/** The filters that a person can choose, their own first, with their numbers and actions. */
export function SavedFilters({ choice, change, saved }: Shown) {
  const { t, locale } = useLanguage();
  const [dialog, setDialog] = useState<'new' | 'edit'>();
  const all = useRef<HTMLButtonElement>(null);
  const { filters } = saved;
  const chosen = filters.find(({ uri }) => uri === choice.saved);
  const show = (filter: InboxFilter | undefined) =>
    change({
      ...FIRST_CHOICE,
      ...(filter && { ...choiceIn(filter), saved: filter.uri, sorter: filter.sorter ?? '' }),
    });
  if (filters.length === 0 && !isFiltered(choice) && choice.sorter === '') return null;
  const problem = chosen?.problem ?? null;
  return (
    <section className="saved-filters" aria-label={t('filters.title')}>
      {filters.length > 0 && (
        <ul>
          <li>
            <button
              ref={all}
              className="button small"
              aria-pressed={!chosen}
              onClick={() => show(undefined)}
            >
              {t('filters.all')}
            </button>
          </li>
          {filters.map((filter) => (
            <li key={filter.uri}>
              <Entry
                filter={filter}
                isChosen={filter === chosen}
                count={saved.countOf(filter)}
                choose={() => show(filter)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="buttons">
        {chosen?.isOwn && (
          <OwnActions
            {...{ chosen, choice, saved, show }}
            edit={() => setDialog('edit')}
            removed={() => (filters.length > 1 ? all.current?.focus() : focusHeading())}
          />
        )}
        {(isFiltered(choice) || choice.sorter !== '') && (
          <button className="button small" onClick={() => setDialog('new')}>
            <Bookmark aria-hidden /> {t(chosen ? 'filters.copy' : 'filters.save')}
          </button>
        )}
      </div>
      {problem !== null && (
        <p className="form-problem" role="status">
          <CircleAlert aria-hidden />{' '}
          {t('filters.problem', {
            problem: asSentence(translate(problem, locale) ?? problem.message),
          })}
        </p>
      )}
      {dialog && (
        <FilterDialog
          former={dialog === 'edit' ? chosen : undefined}
          stored={storedOf(choice, chosen)}
          close={() => setDialog(undefined)}
          saved={(uri) => {
            saved.reload();
            change({ saved: uri });
          }}
        />
      )}
    </section>
  );
}

function Entry({
  filter: { label, owner, isOwn, isShared, problem },
  isChosen,
  count,
  choose,
}: {
  filter: InboxFilter;
  isChosen: boolean;
  count: number | null | undefined;
  choose: () => void;
}) {
  const { t } = useLanguage();
  return (
    <button className="button small" aria-pressed={isChosen} onClick={choose}>
      {isShared && <Users aria-hidden />}
      <span>{label}</span>
      {!isOwn && <small className="muted">{t('filters.of', { name: owner.label })}</small>}
      {typeof count === 'number' && (
        <Count value={count}>
          <span className="unseen">{t('tasks.count', { smart_count: count })}</span>
        </Count>
      )}
      {problem !== null && <CircleAlert aria-label={t('filters.unreadable')} />}
    </button>
  );
}

/** The actions of the owner: storing the present choice in a filter, and renaming, sharing, moving and deleting it. */
function OwnActions({
  chosen,
  choice,
  saved: { filters, reload },
  show,
  edit,
  removed,
}: {
  chosen: InboxFilter;
  choice: Choice;
  saved: OfferedFilters;
  show: (filter: InboxFilter | undefined) => void;
  edit: () => void;
  /** The pressed button disappears. */
  removed: () => void;
}) {
  const { t, problem } = useLanguage();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const run = async (change: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await change();
    } catch (error) {
      toast({ text: problem(toProblem(error)), isRefusal: true });
    }
    reload();
    setBusy(false);
  };
  const own = filters.filter(({ isOwn }) => isOwn);
  const at = own.indexOf(chosen);
  const move = (by: number) => run(() => reorder(moved(own, at, by)));
  const isReadable = choiceIn(chosen) !== undefined;
  const { filters: texts, sorter } = storedOf(choice, chosen);
  const isChanged =
    isReadable && (texts.join() !== chosen.filters.join() || sorter !== chosen.sorter);
  const store = () => replace(chosen.uri, { filters: texts, filterMode: 'and', sorter });
  const remove = async () => {
    await send(`/api/v2${chosen.uri}`, { method: 'DELETE' });
    show(undefined);
    removed();
  };
  const offer = (label: string, act: () => unknown, isOff = false) => (
    <button className="button small" disabled={isBusy || isOff} onClick={() => void act()}>
      {label}
    </button>
  );
  return (
    <>
      {isChanged && offer(t('filters.store'), () => run(store))}
      {offer(t('filters.edit'), edit)}
      {own.length > 1 && offer(t('filters.earlier'), () => move(-1), at <= 0)}
      {own.length > 1 && offer(t('filters.later'), () => move(1), at === own.length - 1)}
      {offer(t('filters.delete'), () => run(remove))}
    </>
  );
}

const replace = (uri: string, values: object): Promise<unknown> =>
  patch(
    `/api/v2${uri}`,
    Object.entries(values).map(([name, value]: [string, unknown]) => ({
      op: 'replace',
      path: `/${name}`,
      value,
    })),
  );

function moved(own: InboxFilter[], at: number, by: number): InboxFilter[] {
  const next = own.filter((_, place) => place !== at);
  next.splice(at + by, 0, own[at]!);
  return next;
}

/** Stores a new order by writing only the moved filters. */
async function reorder(own: InboxFilter[]): Promise<void> {
  for (const [position, { uri, position: before }] of own.entries())
    if (position !== before) await replace(uri, { position });
}

/** The filters to store: the present choice, on top of a filter that the controls cannot show. */
function storedOf(
  choice: Choice,
  chosen: InboxFilter | undefined,
): Pick<InboxFilter, 'filters' | 'filterMode' | 'sorter'> {
  const under = chosen && choiceIn(chosen) === undefined ? chosen : undefined;
  return {
    filters: [...(under?.filters ?? []), ...filtersOf(choice)],
    filterMode: under?.filterMode ?? 'and',
    sorter: choice.sorter || null,
  };
}
