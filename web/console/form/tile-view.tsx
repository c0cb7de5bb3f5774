import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Box } from '@mui/material';
import {
  BooleanInput,
  SourceContextProvider,
  useDataProvider,
  useRecordContext,
} from 'react-admin';
import { useFormContext, useWatch } from 'react-hook-form';
import { get } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { descriptionOf } from '../api/description.js';
import { RefPicker } from '../components/ref-picker.js';
import { useNotifyError } from '../components/use-notify-error.js';
import { Pending, Section } from '../layout/page.js';
import type { TextKey } from '../translations/en.js';
import { useTexts } from '../translations/i18n.js';
import { AttributeInput } from './attribute-input.js';
import { ViewCount } from './view-count.js';

/** The attributes that a view copies from another one. */
const COPIED = ['columns', 'filters', 'filterMode', 'sorter'];

const NEW_VIEW = { filters: ['status:eq:open'], filterMode: 'and' };

const WITHIN_VIEW = {
  getSource: (source: string) => `tileView.${source}`,
  getLabel: (source: string) => source,
};

/** The application of the form as it is stored, as a link; undefined while it is new. */
function useStored(): (Ref & { view: Ref | null }) | undefined {
  const record = useRecordContext<Item>();
  return record?.id === undefined ? undefined : (record as unknown as Ref & { view: Ref | null });
}

/**
 * The view that a process tile opens, in the form of the tile: an existing one, which can be changed, or a new one. One
 * call writes tile and view.
 */
export function TileView() {
  const texts = useTexts();
  const stored = useStored();
  const [type, hasView, view] = useWatch({ name: ['type', 'hasView', 'view'] }) as [
    string | null,
    boolean,
    Ref | null | undefined,
  ];
  // A link tile may still have the view of a former process tile, which a person can remove.
  if (type !== 'PROCESS' && !stored?.view) return null;
  const chosen = stored && view ? view : undefined;
  return (
    <Section title={texts('tile.view')} lead={texts('tile.view.lead')}>
      {stored && <ViewChoice />}
      {type === 'PROCESS' && (
        <BooleanInput
          source="hasView"
          label={texts(switchOf(stored, chosen))}
          helperText={
            stored ? texts(chosen ? 'tile.view.change.help' : 'tile.view.new.help') : false
          }
        />
      )}
      {type === 'PROCESS' && hasView && <LoadedView key={chosen?.id} chosen={chosen} />}
    </Section>
  );
}

function switchOf(stored: Ref | undefined, chosen: Ref | undefined): TextKey {
  if (chosen) return 'tile.view.change';
  return stored ? 'tile.view.new' : 'tile.view.with';
}

/** Chooses one of the views of an application. */
function ViewChoice() {
  const attribute = descriptionOf('applications').attribute('view')!;
  return (
    <Box data-attribute="view" sx={{ mb: 1, '& .MuiFormControl-root': { m: 0 } }}>
      <AttributeInput resource="applications" attribute={attribute} />
    </Box>
  );
}

/** Fills the form with the stored view, or with a new one. */
function LoadedView({ chosen }: { chosen: Ref | undefined }) {
  const dataProvider = useDataProvider();
  const { setValue } = useFormContext();
  const [isLoaded, setLoaded] = useState(false);
  const [error, setError] = useState<unknown>();
  const fill = useEffectEvent((view: object | null) =>
    setValue('tileView', view, { shouldDirty: true }),
  );
  const load = useEffectEvent(async () =>
    chosen ? (await dataProvider.getOne<Item>('views', { id: chosen.id })).data : NEW_VIEW,
  );
  useEffect(() => {
    let isShown = true;
    void load()
      .then((view) => {
        if (!isShown) return;
        fill(view);
        setLoaded(true);
      })
      .catch(setError);
    return () => {
      isShown = false;
      fill(null);
    };
  }, []);
  return isLoaded ? <ViewFields isNew={chosen === undefined} /> : <Pending error={error} />;
}

function ViewFields({ isNew }: { isNew: boolean }) {
  const stored = useStored();
  const { attributes } = descriptionOf('views');
  const fields = ['label', ...COPIED].map((name) => attributes.find((one) => one.name === name)!);
  const [application, setApplication] = useState<Ref | null>(null);
  return (
    <SourceContextProvider value={WITHIN_VIEW}>
      <Fields>
        {isNew && <Pattern onApplication={setApplication} />}
        {fields.map((attribute) => (
          <Box key={attribute.name} data-attribute={`view.${attribute.name}`}>
            <AttributeInput resource="views" attribute={attribute} />
          </Box>
        ))}
      </Fields>
      {!stored && <CountedApplication value={application} onChange={setApplication} />}
      <ViewCount application={stored ?? application} />
    </SourceContextProvider>
  );
}

/** Starts a new view as a copy of another one. */
function Pattern({ onApplication }: { onApplication: (application: Ref) => void }) {
  const texts = useTexts();
  const notifyError = useNotifyError();
  const { setValue, getValues } = useFormContext();
  const [pattern, setPattern] = useState<Ref | null>(null);
  const copy = async (chosen: Ref | null) => {
    setPattern(chosen);
    if (!chosen) return;
    const view = await get<Record<string, unknown>>(`/api/v2${chosen.uri}`);
    for (const name of COPIED) setValue(`tileView.${name}`, view[name], { shouldDirty: true });
    if (!getValues('tileView.label'))
      setValue('tileView.label', view.label, { shouldDirty: true, shouldValidate: true });
    onApplication(view.application as Ref);
  };
  return (
    <RefPicker
      targets={['views']}
      label={texts('tile.view.pattern')}
      helper={texts('tile.view.pattern.help')}
      value={pattern}
      onChange={(chosen) => void copy(chosen).catch(notifyError)}
    />
  );
}

/** A new application has no tasks, so the preview applies the filters to another application. */
function CountedApplication({
  value,
  onChange,
}: {
  value: Ref | null;
  onChange: (application: Ref | null) => void;
}) {
  const texts = useTexts();
  return (
    <RefPicker
      targets={['applications']}
      label={texts('tile.view.tasks')}
      helper={texts('tile.view.tasks.help')}
      value={value}
      onChange={onChange}
    />
  );
}

const Fields = ({ children }: { children: ReactNode }) => (
  <Box sx={{ display: 'grid', gap: 2, my: 2, '& .MuiFormControl-root': { m: 0 } }}>{children}</Box>
);
