import { useState } from 'react';
import { Alert, Box, Chip, Stack, Typography } from '@mui/material';
import { useLocale } from 'react-admin';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { get, query } from '../../api-client/api.js';
import type { WorkplaceCategory, Ref } from '../../api-client/types.js';
import { useTexts } from '../translations/i18n.js';
import { Page, Pending, Section } from '../layout/page.js';
import { RefPicker } from '../components/ref-picker.js';
import type { TextKey } from '../translations/en.js';
import { TilePreview } from '../components/tile-preview.js';

interface Reason {
  code: string;
  text: string;
  principal: Ref | null;
}

/** docs/api-contract.md#preview */
interface Preview {
  user: Ref;
  workplace: WorkplaceCategory[];
  applications: { application: Ref; shown: boolean; reasons: Reason[] }[];
}

/** The workplace as another person sees it, and for every application the reasons why they see it or not. */
export function ViewAs() {
  const texts = useTexts();
  const [parameters, setParameters] = useSearchParams();
  const id = parameters.get('user');
  const [chosen, setChosen] = useState<Ref | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', id, useLocale()],
    queryFn: ({ signal }) =>
      get<Preview>(`/api/v2/navigation/preview${query({ user: id ?? '' })}`, signal),
    enabled: id !== null,
  });
  return (
    <Page title={texts('view-as.title')} lead={texts('view-as.lead')}>
      <Box sx={{ maxWidth: 460, mb: 3 }}>
        <RefPicker
          targets={['users']}
          label={texts('view-as.person')}
          value={chosen ?? (id !== null && data ? data.user : null)}
          onChange={(user) => {
            setChosen(user);
            setParameters(user ? { user: user.id } : {});
          }}
        />
      </Box>
      {id === null ? (
        <Alert severity="info" sx={{ maxWidth: 460 }}>
          {texts('view-as.choose')}
        </Alert>
      ) : data ? (
        <Shown preview={data} />
      ) : (
        <Pending error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Shown({ preview: { user, workplace, applications } }: { preview: Preview }) {
  const texts = useTexts();
  return (
    <>
      <Section title={texts('view-as.workplace', { name: user.label })}>
        {workplace.length === 0 && <Alert severity="info">{texts('view-as.nothing')}</Alert>}
        {workplace.map(({ id, title, applications: tiles }) => (
          <Box key={id} sx={{ mb: 2.5 }}>
            <Typography component="h3" sx={{ fontWeight: 600, mb: 1 }}>
              {title}
            </Typography>
            <Box
              component="ul"
              sx={{
                p: 0,
                display: 'grid',
                gap: 1.25,
                gridTemplateColumns: 'repeat(auto-fill, minmax(min(15rem, 100%), 1fr))',
              }}
            >
              {tiles.map((tile) => (
                <li key={tile.id}>
                  <TilePreview {...tile} count={tile.indicator?.count} />
                </li>
              ))}
            </Box>
          </Box>
        ))}
      </Section>
      <Section title={texts('view-as.reasons')} lead={texts('view-as.reasons.lead')}>
        <Box component="ul" sx={{ p: 0 }}>
          {applications.map(({ application, shown, reasons }) => (
            <Stack
              component="li"
              key={application.id}
              direction={{ xs: 'column', sm: 'row' }}
              useFlexGap
              spacing={1}
              sx={{
                py: 0.9,
                borderTop: 1,
                borderColor: 'divider',
                alignItems: { xs: 'flex-start', sm: 'center' },
              }}
            >
              <Box sx={{ flex: { sm: '0 0 16rem' } }}>
                <Link to={`/applications/${application.id}`}>{application.label}</Link>
              </Box>
              <Chip
                size="small"
                variant="outlined"
                color={shown ? 'success' : 'default'}
                label={texts(shown ? 'view-as.shown' : 'view-as.hidden')}
              />
              <Stack direction="row" useFlexGap spacing={0.75} sx={{ flexWrap: 'wrap' }}>
                {reasons.map(({ code, principal }, at) => (
                  <Chip
                    key={at}
                    size="small"
                    label={`${texts(`reason.${code}` as TextKey)}${principal ? `: ${principal.label}` : ''}`}
                  />
                ))}
              </Stack>
            </Stack>
          ))}
        </Box>
      </Section>
    </>
  );
}
