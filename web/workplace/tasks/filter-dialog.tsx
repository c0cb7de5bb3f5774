import { type SyntheticEvent, useState } from 'react';
import { type ApiProblem, get, patch, post } from '../../api-client/api.js';
import type { InboxFilter, Ref, TaskFilter } from '../../api-client/types.js';
import { toProblem, useLoad } from '../../api-client/use-load.js';
import { Dialog } from '../components/dialog.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { Ready } from '../components/ready.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';

interface Saving {
  /** The filter to change; undefined for a new one. */
  former: InboxFilter | undefined;
  /** What a new one stores. */
  stored: Pick<InboxFilter, 'filters' | 'filterMode' | 'sorter'>;
  close: () => void;
  saved: (uri: string) => void;
}

/** Asks for the name of a filter, and for the groups that share it. */
export function FilterDialog(saving: Saving) {
  const { t } = useLanguage();
  const { former, close } = saving;
  const path = former && `/api/v2${former.uri}`;
  const loaded = useLoad(path ?? '', (signal) =>
    path === undefined ? Promise.resolve(undefined) : get<TaskFilter>(path, signal),
  );
  return (
    <Dialog title={t(former ? 'filters.edit' : 'filters.save')} onClose={close}>
      {former ? (
        <Ready loaded={loaded}>{(filter) => <Form {...saving} before={filter} />}</Ready>
      ) : (
        <Form {...saving} before={undefined} />
      )}
    </Dialog>
  );
}

function Form({
  former,
  stored,
  close,
  saved,
  before,
}: Saving & { before: TaskFilter | undefined }) {
  const { t, problem: explain } = useLanguage();
  const [label, setLabel] = useState(before?.label ?? '');
  const [groups, setGroups] = useState(() => before?.sharedWith.map(({ uri }) => uri) ?? []);
  const [isForAll, setForAll] = useState(before?.sharedWithEveryone ?? false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const values = { label: label.trim(), sharedWith: groups, sharedWithEveryone: isForAll };
    try {
      const operations = Object.entries(values).map(([name, value]) => ({
        op: 'replace',
        path: `/${name}`,
        value,
      }));
      const { uri } = former
        ? await patch<TaskFilter>(`/api/v2${former.uri}`, operations)
        : await post<TaskFilter>('/api/v2/process/task-filters', { ...stored, ...values });
      saved(uri);
      close();
    } catch (error) {
      setProblem(toProblem(error));
      setBusy(false);
    }
  };
  const [fault] = problem?.fields ?? [];
  return (
    <form onSubmit={(event) => void submit(event)}>
      <FormProblem text={problem && (fault ? <ServerMessage fault={fault} /> : explain(problem))} />
      <label className="field">
        <span>{t('filters.name')}</span>
        <input
          value={label}
          maxLength={200}
          required
          onChange={({ target }) => setLabel(target.value)}
        />
      </label>
      <Sharing {...{ groups, setGroups, isForAll, setForAll }} former={before?.sharedWith ?? []} />
      <div className="buttons end">
        <button type="button" className="button" onClick={close}>
          {t('cancel')}
        </button>
        <button className="button primary" disabled={isBusy || label.trim() === ''}>
          {t('filters.save.do')}
        </button>
      </div>
    </form>
  );
}

/** The groups of the person, and the groups that already share the filter. */
function Sharing({
  groups,
  setGroups,
  isForAll,
  setForAll,
  former,
}: {
  groups: string[];
  setGroups: (uris: string[]) => void;
  isForAll: boolean;
  setForAll: (value: boolean) => void;
  former: Ref[];
}) {
  const { t } = useLanguage();
  const { me } = useMe();
  const offered = new Map([...me.groups, ...former].map((group) => [group.uri, group.label]));
  const canShareWithAll = me.administrator || isForAll;
  if (offered.size === 0 && !canShareWithAll) return null;
  const toggle = (uri: string) =>
    setGroups(groups.includes(uri) ? groups.filter((one) => one !== uri) : [...groups, uri]);
  return (
    <fieldset className="sharing">
      <legend>{t('filters.share')}</legend>
      {canShareWithAll && (
        <label>
          <input
            type="checkbox"
            checked={isForAll}
            onChange={({ target }) => setForAll(target.checked)}
          />{' '}
          {t('filters.everyone')}
        </label>
      )}
      {[...offered].map(([uri, label]) => (
        <label key={uri}>
          <input type="checkbox" checked={groups.includes(uri)} onChange={() => toggle(uri)} />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  );
}
