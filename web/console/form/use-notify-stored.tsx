import { Alert } from '@mui/material';
import { useNotify } from 'react-admin';
import type { Ref } from '../../api-client/types.js';
import { type Item, WARNING } from '../api/data-provider.js';
import { responsibility } from '../leavers/responsibilities.js';
import { type Texts, useTexts } from '../translations/i18n.js';

/** How long a warning is shown, in milliseconds. */
const SHOWN_FOR = 20_000;

/** Confirms that a record was stored, and shows the server's warning. */
export function useNotifyStored(): (record: Item, done: 'created' | 'saved') => void {
  const texts = useTexts();
  const notify = useNotify();
  const explain = useExplainWarning();
  return (record, done) => {
    const warning = record[WARNING];
    if (typeof warning !== 'string') return notify(texts(done), { type: 'success' });
    notify(
      <Alert severity="warning" variant="filled">
        {`${texts(done)}. ${explain(warning, record)}`}
      </Alert>,
      { type: 'warning', autoHideDuration: SHOWN_FOR },
    );
  };
}

/** The text of the header X-Warning in the page's language (docs/api-contract.md#warnings). */
export function useExplainWarning(): (warning: string, record: Item) => string {
  const texts = useTexts();
  return (warning, record) =>
    warning
      .split('; ')
      .map((one) => explain(one, record, texts))
      .join('. ');
}

/** A warning in the page's language, with labels instead of URIs; unknown ones stay unchanged. */
function explain(warning: string, record: Item, texts: Texts): string {
  if (warning === 'the patch changes nothing') return texts('warning.unchanged');
  const [, numbers] = /^\S+ still has (.+)$/.exec(warning) ?? [];
  if (numbers !== undefined)
    return texts('leaving.warning', {
      name: String(record.label),
      list: numbers
        .split(', ')
        .map((one) => {
          const [name = '', count] = one.split(' ');
          return responsibility(name, Number(count), texts);
        })
        .join(', '),
    });
  const [, application, isOfGroup, principal] =
    /^(\S+) is hidden from (a member of )?(\S+)$/.exec(warning) ?? [];
  if (application === undefined || principal === undefined) return warning;
  return texts(isOfGroup ? 'warning.hidden.member' : 'warning.hidden', {
    application: labelOf(application, record),
    name: labelOf(principal, record),
  });
}

const labelOf = (uri: string, record: Item): string =>
  Object.values(record)
    .map((value) => value as Partial<Ref> | null | undefined)
    .find((value) => value?.uri === uri)?.label ?? uri;
