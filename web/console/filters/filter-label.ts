import { useGetOne } from 'react-admin';
import type { Ref } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { attributeLabel, codeLabel, useDates } from '../components/value.js';
import { placeOf } from '../resources.js';
import type { TextKey } from '../translations/en.js';
import { type Texts, useTexts } from '../translations/i18n.js';
import { type Filter, NOBODY, PERSONAL, takesNoValue } from './filter.js';

/** The label of an operator. Moments use "before" and "after" instead of "less" and "greater". */
export function operatorLabel(
  attribute: Attribute | undefined,
  operator: string,
  texts: Texts,
): string {
  const kind =
    attribute?.type === 'timestamp' && /^[gl]te?$/.test(operator) ? 'moment' : 'operator';
  return texts(`${kind}.${operator}` as TextKey, { _: operator });
}

/** The comparison of an attribute with the viewer, or with the viewer's groups. */
export const personalLabel = (attribute: string, operator: string, texts: Texts): string =>
  texts(`personal.${attribute}.${operator}` as TextKey);

/** A filter as a sentence in the page's language. */
export function useFilterLabel(resource: string, filter: Filter): string {
  const texts = useTexts();
  const showDate = useDates();
  const { attribute: name, operator, value } = filter;
  const attribute = descriptionOf(resource).attribute(name);
  const target = attribute?.type.startsWith('link') ? placeOf(value) : undefined;
  const { data: linked } = useGetOne<Item & Ref>(
    target?.resource ?? resource,
    { id: target?.id ?? '' },
    { enabled: target !== undefined },
  );
  const shownValue = (): string => {
    if (takesNoValue(operator)) return '';
    if (operator === 'in') return value.replaceAll(/(?<!\\),/g, ', ');
    if (attribute?.type === 'coded') return codeLabel(resource, name, value, texts);
    if (attribute?.type === 'boolean') return texts(value === 'true' ? 'yes' : 'no');
    if (attribute?.type === 'timestamp') return showDate(value);
    return target ? (linked?.label ?? '…') : value;
  };
  const label = attributeLabel(name, texts);
  if (value !== '' && value === PERSONAL[name])
    return `${label} ${personalLabel(name, operator, texts)}`;
  if (name === 'assignee' && value === NOBODY) return texts('nobody.filter');
  return `${label} ${operatorLabel(attribute, operator, texts)} ${shownValue()}`.trim();
}
