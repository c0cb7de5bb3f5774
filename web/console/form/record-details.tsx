import { Box, Link as MuiLink } from '@mui/material';
import { useResourceContext } from 'react-admin';
import { Link } from 'react-router';
import { BASE } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { placeOf } from '../resources.js';
import { useTexts } from '../translations/i18n.js';
import { Section } from '../layout/page.js';
import { attributeLabel, Value } from '../components/value.js';

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
/** Repeats of what stands above. */
const LEFT_OUT = ['label', 'photo', 'reference', 'groups'];

/** What the server keeps of a record by itself: its address, dates, counts. */
export function RecordDetails({ record }: { record: Item }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const facts = descriptionOf(resource).attributes.filter(
    ({ name, writable }) => !writable && !LEFT_OUT.includes(name),
  );
  return (
    <Section
      title={texts('details')}
      actions={
        SHOWN_IN_WORKPLACE.includes(resource) && (
          <MuiLink href={`${BASE}/workplace/${resource}/${record.id}`}>
            {texts('details.workplace')}
          </MuiLink>
        )
      }
    >
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'max-content minmax(0, 1fr)' },
          columnGap: 3,
          rowGap: 0.75,
          fontSize: '0.9rem',
        }}
      >
        {facts.map((attribute) => (
          <Box key={attribute.name} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {attributeLabel(attribute.name, texts)}
            </Box>
            <Box component="dd" sx={{ overflowWrap: 'anywhere', mb: { xs: 0.75, sm: 0 } }}>
              <Fact resource={resource} attribute={attribute} value={record[attribute.name]} />
            </Box>
          </Box>
        ))}
      </Box>
    </Section>
  );
}

/** Links lead to their pages. Any other list is a path: organizations from the root on. */
function Fact({
  resource,
  attribute,
  value,
}: {
  resource: string;
  attribute: Attribute;
  value: unknown;
}) {
  const refs = Array.isArray(value) ? (value as Ref[]) : undefined;
  if (attribute.type === 'links' && refs?.length)
    return refs.map(({ uri, label }) => {
      const place = placeOf(uri);
      return (
        <Box key={uri}>
          {place ? (
            <MuiLink component={Link} to={`/${place.resource}/${place.id}`}>
              {label}
            </MuiLink>
          ) : (
            label
          )}
        </Box>
      );
    });
  const path = attribute.type === 'links' ? undefined : refs?.map(({ label }) => label).join(' › ');
  return <Value resource={resource} attribute={attribute} value={path ?? value} />;
}
