import { useState } from 'react';
import { Alert, Box, Button, Stack, Typography } from '@mui/material';
import { Pencil } from 'lucide-react';
import { query } from '../../api-client/api.js';
import { useTexts } from '../translations/i18n.js';
import { Page, Pending, Section } from '../layout/page.js';
import { useRights } from '../session/app-context.js';
import type { TextKey } from '../translations/en.js';
import { en } from '../translations/en.js';
import { useApiPage } from '../api/use-api.js';
import { PicturePreview } from '../components/picture-preview.js';
import { AddressCheck } from './address-check.js';
import { ChangeParameter } from './change-parameter.js';
import { type Parameter, PARAMETERS_PATH, shortKey } from './parameter.js';

/** The parameters of the server, which only sysadmin may read and set. */
export function Parameters() {
  const texts = useTexts();
  const { isSysadmin } = useRights();
  return (
    <Page narrow title={texts('parameters.title')} lead={texts('parameters.lead')}>
      <AddressCheck />
      {isSysadmin ? <List /> : <Alert severity="info">{texts('parameters.sysadmin')}</Alert>}
    </Page>
  );
}

/** The purpose of a parameter, in the page's language if it has a text. */
function useDescription(): (parameter: Parameter) => string {
  const texts = useTexts();
  return ({ key, description }) => {
    const known = `parameter.${shortKey(key)}`;
    return known in en ? texts(known as TextKey) : description;
  };
}

function List() {
  const texts = useTexts();
  const describe = useDescription();
  const { data, error, refetch } = useApiPage<Parameter>(
    `${PARAMETERS_PATH}${query({ range: '0-500' })}`,
  );
  const [edited, setEdited] = useState<Parameter>();
  if (!data) return <Pending error={error} onRetry={() => void refetch()} />;
  const sections = Map.groupBy(data.items, ({ key }) =>
    shortKey(key).split('.').slice(0, -1).join('.'),
  );
  return (
    <>
      {[...sections].map(([name, parameters]) => (
        <Section key={name} title={sectionTitle(name, texts)}>
          <Box component="ul" sx={{ p: 0 }}>
            {parameters.map((parameter) => (
              <Stack
                component="li"
                direction={{ xs: 'column', sm: 'row' }}
                spacing={{ xs: 0.5, sm: 2 }}
                key={parameter.key}
                sx={{ py: 1.25, borderTop: 1, borderColor: 'divider' }}
              >
                <Box sx={{ flex: 1, minWidth: 0 }}>
                  <Typography>{describe(parameter)}</Typography>
                  <Typography
                    variant="body2"
                    color="textSecondary"
                    sx={{ overflowWrap: 'anywhere' }}
                  >
                    <code>{parameter.key}</code>
                  </Typography>
                </Box>
                <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
                  <Shown parameter={parameter} />
                  <Button
                    size="small"
                    startIcon={<Pencil size={15} aria-hidden />}
                    aria-label={texts('parameters.change', { key: shortKey(parameter.key) })}
                    onClick={() => setEdited(parameter)}
                  >
                    {texts('change')}
                  </Button>
                </Stack>
              </Stack>
            ))}
          </Box>
        </Section>
      ))}
      {edited && (
        <ChangeParameter
          key={edited.key}
          parameter={edited}
          description={describe(edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

function sectionTitle(name: string, texts: ReturnType<typeof useTexts>): string {
  const key = `parameters.section.${name}`;
  return key in en ? texts(key as TextKey) : name;
}

function Shown({ parameter: { type, value, defaultValue } }: { parameter: Parameter }) {
  const texts = useTexts();
  if (type === 'picture' && value !== '') return <PicturePreview url={String(value)} />;
  const show = (one: Parameter['value']): string =>
    typeof one === 'boolean' ? texts(one ? 'yes' : 'no') : String(one) || '–';
  return (
    <Box sx={{ textAlign: { sm: 'end' }, maxWidth: 320, overflowWrap: 'anywhere' }}>
      <Typography sx={{ fontWeight: 600 }}>{show(value)}</Typography>
      {value !== defaultValue && (
        <Typography variant="body2" color="textSecondary">
          {texts('parameters.default', { value: show(defaultValue) })}
        </Typography>
      )}
    </Box>
  );
}
