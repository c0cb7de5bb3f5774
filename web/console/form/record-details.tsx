import type { ReactNode } from 'react';
import { Link as MuiLink } from '@mui/material';
import { useResourceContext } from 'react-admin';
import { BASE } from '../../api-client/api.js';
import type { Item } from '../api/data-provider.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { resourceOf } from '../resources.js';
import type { TextKey } from '../translations/en.js';
import { useTexts } from '../translations/i18n.js';
import { Section } from '../layout/page.js';
import { attributeLabel } from '../components/value.js';
import { Fact } from './fact.js';
import { Facts } from './facts.js';

/** Kinds that have a page in the workplace. */
const SHOWN_IN_WORKPLACE = [
  'users',
  'documents',
  'news',
  'faqs',
  'customers',
  'applications',
  'tasks',
];
/** Attributes that repeat information above. */
const LEFT_OUT = ['label', 'photo', 'reference', 'groups'];

/** The attributes that people cannot write: those from the engine, then those that the server maintains. */
export function RecordDetails({ record }: { record: Item }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const description = descriptionOf(resource);
  const { facts = {}, uses } = resourceOf(resource);
  const grouped = Object.values(facts).flat();
  const others = description.attributes.filter(
    ({ name, writable }) =>
      !writable &&
      !LEFT_OUT.includes(name) &&
      !grouped.includes(name) &&
      (uses?.isUsed(name, record) ?? true),
  );
  return (
    <>
      {Object.entries(facts).map(([title, names]) => (
        <FactsOf
          key={title}
          record={record}
          title={texts(`facts.${title}` as TextKey)}
          attributes={names
            .filter((name) => !isBlank(record[name]))
            .map((name) => description.attribute(name)!)}
        />
      ))}
      <FactsOf
        record={record}
        title={texts('details')}
        attributes={others}
        actions={
          SHOWN_IN_WORKPLACE.includes(resource) && (
            <MuiLink href={`${BASE}/workplace/${resource}/${record.id}`}>
              {texts('details.workplace')}
            </MuiLink>
          )
        }
      />
    </>
  );
}

const isBlank = (value: unknown): boolean => value === null || value === undefined;

function FactsOf({
  record,
  title,
  attributes,
  actions,
}: {
  record: Item;
  title: string;
  attributes: Attribute[];
  actions?: ReactNode;
}) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  if (attributes.length === 0) return null;
  return (
    <Section title={title} actions={actions}>
      <Facts
        facts={attributes.map((attribute) => [
          attributeLabel(attribute.name, texts),
          <Fact
            key={attribute.name}
            resource={resource}
            attribute={attribute}
            value={record[attribute.name]}
          />,
        ])}
      />
    </Section>
  );
}
