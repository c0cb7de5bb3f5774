import { type SyntheticEvent, useState } from 'react';
import { Alert, Box, Button, Chip, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { get, query } from '../../api-client/api.js';
import { useTexts } from '../translations/i18n.js';
import { Pending, Section } from '../layout/page.js';
import { explain, faultOf, problemOf } from '../components/problems.js';

interface Verdict {
  allowed: boolean;
  rule: string | null;
}

/** docs/api-contract.md#address-check */
interface Check {
  address: string | null;
  peer: string;
  forwarded: string[];
  callers: Verdict;
  sysadmin: Verdict;
}

/** The address that the server sees, and the verdicts of the two allowlists on it or on another one. */
export function AddressCheck() {
  const texts = useTexts();
  const [asked, setAsked] = useState<string>();
  const { data, error } = useQuery({
    queryKey: ['address-check', asked],
    queryFn: ({ signal }) =>
      get<Check>(`/api/v2/administration/address-check${query({ address: asked })}`, signal),
    placeholderData: (before) => before,
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = (new FormData(event.currentTarget).get('address') as string).trim();
    setAsked(text === '' ? undefined : text);
  };
  const problem = error ? problemOf(error) : undefined;
  const fault = faultOf(problem, 'address', texts);
  return (
    <Section title={texts('addresses')} lead={texts('addresses.lead')}>
      <Stack
        component="form"
        direction={{ xs: 'column', sm: 'row' }}
        spacing={1.5}
        onSubmit={submit}
        sx={{ mb: 2, alignItems: { sm: 'flex-start' } }}
      >
        <TextField
          name="address"
          label={texts('addresses.address')}
          helperText={fault ?? texts('addresses.help')}
          error={problem !== undefined}
          sx={{ flex: 1 }}
        />
        <Button type="submit" variant="outlined" sx={{ minHeight: 40 }}>
          {texts('addresses.check')}
        </Button>
      </Stack>
      {problem && fault === undefined && <Alert severity="error">{explain(problem, texts)}</Alert>}
      {data && !error && (
        <Box aria-live="polite">
          <Typography sx={{ mb: 1 }}>
            {texts('addresses.seen', { address: data.address ?? '–' })}
            {data.forwarded.length > 0 && (
              <Typography component="span" color="textSecondary">
                {' '}
                {texts('addresses.forwarded', {
                  peer: data.peer,
                  chain: data.forwarded.join(', '),
                })}
              </Typography>
            )}
          </Typography>
          <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap' }}>
            <Judged name={texts('addresses.callers')} verdict={data.callers} />
            <Judged name="sysadmin" verdict={data.sysadmin} />
          </Stack>
        </Box>
      )}
      {!data && !error && <Pending error={error} />}
    </Section>
  );
}

function Judged({ name, verdict: { allowed, rule } }: { name: string; verdict: Verdict }) {
  const texts = useTexts();
  const said = texts(allowed ? 'addresses.allowed' : 'addresses.refused', { name, rule });
  return <Chip variant="outlined" color={allowed ? 'success' : 'error'} label={said} />;
}
