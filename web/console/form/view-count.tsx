import { useState } from 'react';
import { Alert, Box, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useWrappedSource } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { get, query } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import { explainAny } from '../components/problems.js';
import { RefPicker } from '../components/ref-picker.js';
import { useTexts } from '../translations/i18n.js';

/**
 * How many tasks the edited view would show to a person.
 * @param application the application of the counted tasks
 */
export function ViewCount({ application }: { application: Ref | null }) {
  const texts = useTexts();
  const [person, setPerson] = useState<Ref | null>(null);
  const [filters, filterMode] = useWatch({
    name: [useWrappedSource('filters'), useWrappedSource('filterMode')],
  }) as [string[] | null | undefined, string | null | undefined];
  const address = `/api/v2/process/views/preview${query({
    user: person?.id,
    application: application?.id,
    filters: filters ?? [],
    filterMode: filterMode ?? undefined,
  })}`;
  const { data, error } = useQuery({
    queryKey: [address],
    queryFn: ({ signal }) => get<{ count: number }>(address, signal),
    enabled: person !== null && application !== null,
    retry: false,
  });
  return (
    <Box sx={{ display: 'grid', gap: 1.5, maxWidth: 460, mt: 2 }}>
      <RefPicker
        targets={['users']}
        label={texts('view.count.person')}
        helper={texts(application ? 'view.count.help' : 'view.count.application')}
        value={person}
        onChange={setPerson}
      />
      <Box role="status">
        {error && <Alert severity="error">{explainAny(error, texts)}</Alert>}
        {data && person && application && (
          <Typography>
            {texts('view.count', {
              smart_count: data.count,
              name: person.label,
              application: application.label,
            })}
          </Typography>
        )}
      </Box>
    </Box>
  );
}
