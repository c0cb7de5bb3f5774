import {
  enumeration,
  dates,
  link,
  number,
  reference,
  text,
} from '../../resources/attributes/attributes.js';
import { textList } from '../../resources/attributes/text-list-attribute.js';
import type { Reader } from '../../database/database.js';
import type { Ref } from '../../resources/ref.js';
import { MAX_FILTERS } from '../../resources/list/filters.js';
import { translations } from '../../resources/attributes/translations-attribute.js';
import { resource } from '../../resources/resource.js';
import type { Caller } from '../../security/caller.js';
import { visibleInWorkplace } from '../applications/application.resource.js';
import { countView } from './count-view.js';
import { displayColumn, displayFilter } from '../tasks/task-labels.js';
import { type StoredView, UnreadableView } from './parse-view.js';
import { View } from './view.entity.js';

export const FILTER_MODES = {
  and: { en: 'all', fr: 'tous', de: 'alle' },
  or: { en: 'any', fr: 'au moins un', de: 'mindestens einer' },
};

export const views = resource({
  name: 'views',
  uri: '/process/views',
  reach: { application: (alias, ids) => `${alias}.application_id = ANY (${ids})` },
  entity: View,
  labelColumn: 'label',
  attributes: {
    reference: reference({ reserved: ['preview'] }),
    label: text({ required: true, max: 200 }),
    application: link('applications', { required: true }),
    columns: textList({ max: 50, noun: 'attribute names', display: displayColumn }),
    filters: textList({ max: MAX_FILTERS, noun: 'filters', display: displayFilter }),
    filterMode: enumeration(FILTER_MODES, { default: 'and' }),
    sorter: text(),
    translations: translations({ label: 200 }),
    ...dates(),
    count: number({ readOnly: true, detailedOnly: true, sql: () => 'NULL' }),
  },
  complete: countFor,
  visible: ({ idSql }, alias) =>
    `EXISTS (SELECT 1 FROM applications a WHERE a.id = ${alias}.application_id AND ${visibleInWorkplace('a', idSql())})`,
});

/** The count is the caller's own, and null for a view that can no longer be read. */
async function countFor(
  representation: Record<string, unknown>,
  caller: Caller,
  reader: Reader,
): Promise<Record<string, unknown>> {
  const view = storedView(representation);
  try {
    return { ...representation, count: await countView(reader, view, caller) };
  } catch (error) {
    if (error instanceof UnreadableView) return { ...representation, count: null };
    throw error;
  }
}

/** The id of no application: a view whose application is hidden from the caller has no rows. */
const NO_APPLICATION = '0';

/** Reads from a view's representation what its execution needs. */
export function storedView(representation: Record<string, unknown>): StoredView {
  const { application, ...view } = representation as unknown as StoredView & {
    application: Ref | null;
  };
  return { ...view, applicationId: application?.id ?? NO_APPLICATION };
}
