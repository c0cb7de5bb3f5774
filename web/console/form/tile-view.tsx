import { type ReactNode, useState } from 'react';
import { Box } from '@mui/material';
import { BooleanInput, SourceContextProvider } from 'react-admin';
import { useFormContext, useWatch } from 'react-hook-form';
import { get } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import { descriptionOf } from '../api/description.js';
import { RefPicker } from '../components/ref-picker.js';
import { useNotifyError } from '../components/use-notify-error.js';
import { Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';
import { AttributeInput } from './attribute-input.js';
import { ViewCount } from './view-count.js';

/** What a view takes over from another one. */
const COPIED = ['columns', 'filters', 'filterMode', 'sorter'];

const WITHIN_VIEW = {
  getSource: (source: string) => `view.${source}`,
  getLabel: (source: string) => source,
};

/** The view that a new process tile opens, in the form of the tile: both are created in one call. */
export function TileView() {
  const texts = useTexts();
  const [type, hasView] = useWatch({ name: ['type', 'hasView'] }) as [string | null, boolean];
  if (type !== 'PROCESS') return null;
  return (
    <Section title={texts('tile.view')} lead={texts('tile.view.lead')}>
      <BooleanInput source="hasView" label={texts('tile.view.with')} helperText={false} />
      {hasView && <ViewFields />}
    </Section>
  );
}

function ViewFields() {
  const texts = useTexts();
  const notifyError = useNotifyError();
  const { setValue, getValues } = useFormContext();
  const [pattern, setPattern] = useState<Ref | null>(null);
  const [application, setApplication] = useState<Ref | null>(null);
  const copy = async (chosen: Ref | null) => {
    setPattern(chosen);
    if (!chosen) return;
    const view = await get<Record<string, unknown>>(`/api/v2${chosen.uri}`);
    for (const name of COPIED) setValue(`view.${name}`, view[name], { shouldDirty: true });
    if (!getValues('view.label'))
      setValue('view.label', view.label, { shouldDirty: true, shouldValidate: true });
    setApplication(view.application as Ref);
  };
  const { attributes } = descriptionOf('views');
  const fields = ['label', ...COPIED].map((name) => attributes.find((one) => one.name === name)!);
  return (
    <>
      <SourceContextProvider value={WITHIN_VIEW}>
        <Fields>
          <RefPicker
            targets={['views']}
            label={texts('tile.view.pattern')}
            helper={texts('tile.view.pattern.help')}
            value={pattern}
            onChange={(chosen) => void copy(chosen).catch(notifyError)}
          />
          {fields.map((attribute) => (
            <Box key={attribute.name} data-attribute={`view.${attribute.name}`}>
              <AttributeInput resource="views" attribute={attribute} />
            </Box>
          ))}
        </Fields>
        <RefPicker
          targets={['applications']}
          label={texts('tile.view.tasks')}
          helper={texts('tile.view.tasks.help')}
          value={application}
          onChange={setApplication}
        />
        <ViewCount application={application} />
      </SourceContextProvider>
    </>
  );
}

const Fields = ({ children }: { children: ReactNode }) => (
  <Box sx={{ display: 'grid', gap: 2, my: 2, '& .MuiFormControl-root': { m: 0 } }}>{children}</Box>
);
