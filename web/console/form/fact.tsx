import { Link as MuiLink } from '@mui/material';
import { Link } from 'react-router';
import type { Ref } from '../../api-client/types.js';
import { isPlain } from '../../theme/variables.js';
import type { Attribute } from '../api/description.js';
import { placeOf } from '../resources.js';
import { Value } from '../components/value.js';
import { ObjectValue } from './object-value.js';

/** The value of an attribute. Links lead to their pages; other lists of Refs are paths from the root on. */
export function Fact({
  resource,
  attribute,
  value,
}: {
  resource: string;
  attribute: Attribute;
  value: unknown;
}) {
  if (attribute.type === 'link' && isRef(value)) return <RefLink to={value} />;
  if (attribute.type === 'links' && Array.isArray(value) && value.length > 0)
    return (value as Ref[]).map((ref) => (
      <div key={ref.uri}>
        <RefLink to={ref} />
      </div>
    ));
  if ((attribute.type !== 'object' && attribute.type !== 'texts') || isPlain(value))
    return <Value resource={resource} attribute={attribute} value={value} />;
  if (Array.isArray(value) && value.length > 0 && value.every(isRef))
    return value.map(({ label }) => label).join(' › ');
  return <ObjectValue value={value} />;
}

const isRef = (value: unknown): value is Ref =>
  typeof value === 'object' && value !== null && 'uri' in value;

/** A link to the page of a Ref's object, if the console has one. */
export function RefLink({ to: { uri, label } }: { to: Pick<Ref, 'uri' | 'label'> }) {
  const place = placeOf(uri);
  if (!place) return label;
  return (
    <MuiLink component={Link} to={`/${place.resource}/${place.id}`}>
      {label}
    </MuiLink>
  );
}
