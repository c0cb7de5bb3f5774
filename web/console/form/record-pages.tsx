import {
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Stack,
} from '@mui/material';
import { Save, Trash2 } from 'lucide-react';
import {
  CreateBase,
  EditBase,
  Form,
  RecordContextProvider,
  useLocale,
  useDelete,
  useEditContext,
  useNotify,
  useRecordContext,
  useRedirect,
  useResourceContext,
  useSaveContext,
  useTranslate,
} from 'react-admin';
import { useFormState, useWatch } from 'react-hook-form';
import type { Ref } from '../../api-client/types.js';
import { AccountPanels, ServiceAccountPanels } from '../account/account-panels.js';
import { PasswordSection } from '../account/password-section.js';
import { ApplicationPreview } from './application-preview.js';
import { ApplicationVisibility } from './application-visibility.js';
import { ETAG, type Item, NO_TILE_VIEW } from '../api/data-provider.js';
import { type Attribute, descriptionOf, isLong } from '../api/description.js';
import { RecordDetails } from './record-details.js';
import { BindPassword } from '../directory/bind-password.js';
import { GroupMembers } from '../directory/group-members.js';
import { useDirtyRecord } from './use-dirty-record.js';
import { useNotifyStored } from './use-notify-stored.js';
import { useTexts } from '../translations/i18n.js';
import { EndpointDeliveries } from '../deliveries/endpoint-deliveries.js';
import { EndpointState } from '../deliveries/endpoint-state.js';
import { UnknownPeople } from '../deliveries/unknown-people.js';
import { AttributeInput } from './attribute-input.js';
import { TileView } from './tile-view.js';
import { ViewCount } from './view-count.js';
import { useNotifyError } from '../components/use-notify-error.js';
import { Page, Pending, Section } from '../layout/page.js';
import { LeaverSection } from '../leavers/leaver-section.js';
import { useLeaving } from '../leavers/leaving.js';
import { ResponsibilitiesOf } from '../leavers/responsibilities.js';
import { problemOf } from '../components/problems.js';
import { resourceOf } from '../resources.js';
import { SeeAsRole } from '../roles/see-as.js';
import { UserRightsSection } from '../roles/user-rights-section.js';
import { useRights } from '../session/app-context.js';
import type { TextKey } from '../translations/en.js';

/** Loaded with the first page of a provider, which few people open. */
const ProviderPanels = lazy(async () => ({
  default: (await import('../directory/provider-panels.js')).ProviderPanels,
}));

/** Shown above the form; faults of fields also appear at them. */
function useNotifyFormError(): (error: unknown) => void {
  const texts = useTexts();
  const notify = useNotify();
  const notifyError = useNotifyError();
  return (error) => {
    const problem = problemOf(error);
    const isNamed =
      problem?.status === 400 && (problem.fields.length > 0 || problem.errors.length > 0);
    if (isNamed) notify(texts('invalid.form'), { type: 'error' });
    else notifyError(error);
  };
}

/** The initial values of a new record. */
const defaultsOf = (resource: string, attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.flatMap(({ name, type, writable }): [string, unknown][] => {
      if (!writable) return [];
      // A new tile starts hidden, because a tile without an audience is visible to all users.
      if (name === 'active') return [[name, resource !== 'applications']];
      if (name === 'locale') return [[name, 'en']];
      return type === 'boolean' ? [[name, false]] : [];
    }),
  );

/** A new record of a resource. */
export function CreatePage() {
  const texts = useTexts();
  const translate = useTranslate();
  const notifyStored = useNotifyStored();
  const redirect = useRedirect();
  const notifyError = useNotifyFormError();
  const resource = useResourceContext()!;
  const name = translate(`resources.${resource}.name`, { smart_count: 1 });
  // German nouns have capitals everywhere.
  const noun = useLocale() === 'de' ? name : name.toLowerCase();
  const defaults = defaultsOf(resource, descriptionOf(resource).attributes);
  return (
    <CreateBase
      disableAuthentication
      mutationOptions={{
        onError: notifyError,
        onSuccess: (created: Item) => {
          notifyStored(created, 'created');
          redirect('edit', resource, created.id);
        },
      }}
    >
      <Page
        narrow
        title={texts('create.title', { name: noun })}
        back={{
          to: `/${resource}`,
          label: translate(`resources.${resource}.name`, { smart_count: 2 }),
        }}
      >
        <RecordForm defaults={defaults} />
      </Page>
    </CreateBase>
  );
}

/** The page of a record. */
export function EditPage() {
  const notifyStored = useNotifyStored();
  const notifyError = useNotifyFormError();
  const [isDirty, setDirty] = useState(false);
  const [etag, setEtag] = useState<unknown>();
  /** Number of saved passwords. */
  const [resets, setResets] = useState(0);
  return (
    <EditBase
      redirect={false}
      mutationMode="pessimistic"
      disableAuthentication
      transform={(data: Item) => ({ ...data, [ETAG]: etag })}
      mutationOptions={{
        onError: notifyError,
        onSuccess: (stored: Item, { data }: { data?: Partial<Item> }) => {
          setDirty(false);
          notifyStored(stored, 'saved');
          if (data?.password) setResets((last) => last + 1);
        },
      }}
      queryOptions={{ onError: () => undefined }}
    >
      <EditView isDirty={isDirty} resets={resets} onDirty={setDirty} onEtag={setEtag} />
    </EditBase>
  );
}

function EditView({
  isDirty,
  resets,
  onDirty,
  onEtag,
}: {
  isDirty: boolean;
  resets: number;
  onDirty: (isDirty: boolean) => void;
  onEtag: (etag: unknown) => void;
}) {
  const texts = useTexts();
  const translate = useTranslate();
  const resource = useResourceContext()!;
  const rights = useRights();
  const { record, error, refetch } = useEditContext<Item>();
  const { shown, etag } = useDirtyRecord(resource, isDirty, record);
  useLayoutEffect(() => onEtag(etag), [etag, onEtag]);
  const list = translate(`resources.${resource}.name`, { smart_count: 2 });
  // The cache may hold the smaller list item; the form waits for the whole record.
  const isGone = problemOf(error)?.status === 404;
  if (record?.[ETAG] === undefined || shown === undefined)
    return (
      <Page
        narrow
        title={isGone ? texts('gone.title') : list}
        back={{ to: `/${resource}`, label: list }}
      >
        <Pending error={error} onRetry={isGone ? undefined : () => void refetch()} />
      </Page>
    );
  return (
    <Page narrow title={String(record.label)} back={{ to: `/${resource}`, label: list }}>
      <ManagedBy record={record} />
      <NotWritable record={record} />
      {resource === 'endpoints' && <EndpointState endpoint={record} />}
      <RecordContextProvider value={shown}>
        <RecordForm onDirty={onDirty} />
      </RecordContextProvider>
      {resource === 'users' && <AccountPanels key={record.id} user={record} resets={resets} />}
      {resource === 'users' && <LeaverSection user={record} />}
      {resource === 'users' && rights.permits('role-assignments:read') && (
        <UserRightsSection user={record} />
      )}
      {resource === 'providers' && (
        <Suspense fallback={<Pending error={null} />}>
          <ProviderPanels provider={record} />
        </Suspense>
      )}
      {resource === 'roles' && <SeeAsRole role={record} />}
      {resource === 'service-accounts' && <ServiceAccountPanels account={record} />}
      {resource === 'groups' && <GroupMembers group={record} />}
      {resource === 'endpoints' && <EndpointDeliveries endpoint={record} />}
      {resource === 'sources' && <UnknownPeople source={record} />}
      <RecordDetails record={record} />
    </Page>
  );
}

/** The form of a resource, in groups, with an input for everything that can be written. */
function RecordForm({
  defaults,
  onDirty,
}: {
  defaults?: Record<string, unknown>;
  onDirty?: (isDirty: boolean) => void;
}) {
  const resource = useResourceContext()!;
  const isTile = resource === 'applications';
  const rights = useRights();
  const { save } = useSaveContext();
  const { ask, dialog } = useLeaving();
  // Without a person who leaves, react-admin saves as always.
  const saveUnlessKept = async (values: Record<string, unknown>): Promise<unknown> =>
    (await ask(values)) ? (save?.(values) as unknown) : undefined;
  return (
    <Form
      onSubmit={resource === 'users' ? saveUnlessKept : undefined}
      defaultValues={isTile ? { ...defaults, ...NO_TILE_VIEW } : defaults}
      sanitizeEmptyValues={false}
      warnWhenUnsavedChanges
    >
      <WhileNotSaving>
        {groupsOf(resource).map(([title, attributes]) => (
          <Fragment key={title}>
            <FormGroup
              title={title}
              attributes={isTile ? attributes.filter(({ name }) => name !== 'view') : attributes}
            />
            {isTile && title === 'main' && (
              <div inert={!rights.permitsAny('views', 'change')}>
                <TileView />
              </div>
            )}
            {resource === 'views' && title === 'rows' && <CountOfView />}
          </Fragment>
        ))}
        {resource === 'users' && <PasswordSection />}
        {resource === 'providers' && rights.writes(resource, 'change', 'bindPassword') && (
          <BindPassword />
        )}
      </WhileNotSaving>
      <FormActions onDirty={onDirty} />
      {dialog}
    </Form>
  );
}

/** Says which provider keeps the record, and that it alone writes the locked fields. */
function ManagedBy({ record }: { record: Item }) {
  const texts = useTexts();
  const provider = record.managedBy as Ref | null | undefined;
  return provider ? (
    <Alert severity="info" sx={{ mb: 2 }}>
      {texts('managed.by', { provider: provider.label })}
    </Alert>
  ) : null;
}

/** Says that one may read the record, and change at most a part of it. */
function NotWritable({ record }: { record: Item }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const rights = useRights();
  const names = groupsOf(resource).flatMap(([, attributes]) => attributes.map(({ name }) => name));
  const written = names.filter((name) => rights.writes(resource, 'change', name));
  const isShipped = record.shipped === true;
  if (written.length === names.length && !isShipped) return null;
  return (
    <Alert severity="info" sx={{ mb: 2 }}>
      {texts(isShipped ? 'locked.shipped' : written.length === 0 ? 'locked.all' : 'locked.some')}
    </Alert>
  );
}

/** Whether an attribute stays as it is: the provider of the record alone writes it, or one may not. */
function useIsLocked(resource: string): (name: string) => boolean {
  const record = useRecordContext<Item>();
  const rights = useRights();
  const { managed = [] } = resourceOf(resource);
  const action = record?.id === undefined ? 'create' : 'change';
  return (name) =>
    (Boolean(record?.managedBy) && managed.includes(name)) ||
    // A role of the server.
    record?.shipped === true ||
    !rights.writes(resource, action, name);
}

function CountOfView() {
  const texts = useTexts();
  const application = useWatch({ name: 'application' }) as Ref | null | undefined;
  return (
    <Section title={texts('view.count.title')}>
      <ViewCount application={application || null} />
    </Section>
  );
}

/**
 * Locks the form until the record has loaded, because the answer would overwrite entries. The focus then returns to its
 * field.
 */
function WhileNotSaving({ children }: { children: ReactNode }) {
  const { isSubmitting } = useFormState();
  const field = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isSubmitting) field.current = document.activeElement;
    else if (document.activeElement === document.body && field.current instanceof HTMLElement)
      field.current.focus();
  }, [isSubmitting]);
  return <div inert={isSubmitting}>{children}</div>;
}

/** Every writable attribute in a group; attributes outside the groups come last. */
export function groupsOf(resource: string): [title: string, attributes: Attribute[]][] {
  const { facts = {}, groups: groupsByTitle } = resourceOf(resource);
  const ofPrograms = Object.values(facts).flat();
  const writable = descriptionOf(resource).attributes.filter(
    (one) => one.writable && !ofPrograms.includes(one.name),
  );
  const groups = Object.entries(groupsByTitle);
  const named = groups.flatMap(([, names]) => names);
  const others = writable.filter(({ name }) => !named.includes(name));
  return groups.map(([title, names], at) => [
    title,
    [
      ...names.flatMap((name) => writable.filter((one) => one.name === name)),
      ...(at === groups.length - 1 ? others : []),
    ],
  ]);
}

/** The attributes that the record uses with the present values of the form. */
function useUsed(resource: string, attributes: Attribute[]): Attribute[] {
  const { uses } = resourceOf(resource);
  const deciding = uses?.deciding ?? [];
  const values = useWatch({ name: deciding, disabled: !uses }) as unknown[];
  if (!uses) return attributes;
  const known = Object.fromEntries(deciding.map((name, at) => [name, values[at]]));
  return attributes.filter(({ name }) => uses.isUsed(name, known));
}

function FormGroup({ title, attributes }: { title: string; attributes: Attribute[] }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const used = useUsed(resource, attributes);
  const isLocked = useIsLocked(resource);
  const isPreviewed = resource === 'applications' && title === 'main';
  const inputs: ReactNode = (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        columnGap: 2.5,
        rowGap: 2,
        alignItems: 'start',
        '& .MuiFormControl-root': { m: 0 },
        // Aligns a switch with the field beside it.
        '& .MuiFormControlLabel-root': { minHeight: 40, m: 0, gap: 0.75 },
        flex: 1,
      }}
    >
      {used.map((attribute) => (
        <Box
          key={attribute.name}
          data-attribute={attribute.name}
          inert={isLocked(attribute.name)}
          sx={{
            gridColumn: isWide(attribute) ? '1 / -1' : undefined,
            opacity: isLocked(attribute.name) ? 0.6 : undefined,
          }}
        >
          <AttributeInput resource={resource} attribute={attribute} />
        </Box>
      ))}
    </Box>
  );
  return (
    <Section title={texts(`form.${title}` as TextKey)}>
      {isPreviewed && <ApplicationVisibility />}
      {isPreviewed && <ApplicationPreview />}
      {inputs}
    </Section>
  );
}

const isWide = (attribute: Attribute): boolean =>
  isLong(attribute) ||
  attribute.type === 'links' ||
  attribute.type === 'texts' ||
  // The settings of a directory are a long object.
  attribute.name === 'ldap' ||
  attribute.translates.length > 0 ||
  // The attribute in the page's title comes before its text.
  attribute.name === 'question';

function FormActions({ onDirty }: { onDirty?: (isDirty: boolean) => void }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const stored = useRecordContext<Item>();
  // A new record can start with a partial record, which has no id.
  const record = stored?.id === undefined ? undefined : stored;
  const rights = useRights();
  const mayWrite = rights.permitsAny(resource, record ? 'change' : 'create');
  const mayDelete = rights.permitsAny(resource, 'delete');
  const { saving } = useSaveContext();
  const { isDirty, isSubmitting, errors } = useFormState();
  // After a failed save, the focus moves from the button down here to the first field with an error.
  const showFirstError = useEffectEvent(() => {
    if (isSubmitting || Object.keys(errors).length === 0) return;
    const field = document.querySelector<HTMLElement>('main form [aria-invalid=true]');
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
  });
  // Not while the person types, only after an attempt to save.
  useEffect(() => showFirstError(), [isSubmitting]);
  useLayoutEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  // A save button that becomes disabled would lose the focus.
  const wasDirty = useRef(false);
  useEffect(() => {
    if (isSubmitting) return;
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.matches(':disabled');
    if (wasDirty.current && !isDirty && isLost)
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    wasDirty.current = isDirty;
  }, [isDirty, isSubmitting]);
  if (!mayWrite && !mayDelete) return null;
  return (
    <Stack
      direction="row"
      spacing={1.5}
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 3,
        py: 1.5,
        mb: 2,
        alignItems: 'center',
        bgcolor: 'background.default',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {mayWrite && (
        <Button
          type="submit"
          variant="contained"
          startIcon={<Save size={17} aria-hidden />}
          disabled={saving === true || isSubmitting || (record !== undefined && !isDirty)}
        >
          {texts(record ? 'save' : 'create')}
        </Button>
      )}
      <Box sx={{ flex: 1 }} />
      {record && mayDelete && <DeleteRecord resource={resource} record={record} />}
    </Stack>
  );
}

function DeleteRecord({ resource, record }: { resource: string; record: Item }) {
  const texts = useTexts();
  const rights = useRights();
  const redirect = useRedirect();
  const notify = useNotify();
  const notifyError = useNotifyFormError();
  const [isOpen, setOpen] = useState(false);
  const [remove, { isPending }] = useDelete();
  const confirm = () =>
    void remove(
      resource,
      { id: record.id, previousData: record },
      {
        mutationMode: 'pessimistic',
        onSuccess: () => {
          notify(texts('deleted'), { type: 'success' });
          redirect('list', resource);
        },
        onError: notifyError,
        onSettled: () => setOpen(false),
      },
    );
  return (
    <>
      <Button
        color="error"
        startIcon={<Trash2 size={17} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {texts('delete')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} aria-labelledby="delete-record">
        <DialogTitle id="delete-record">
          {texts('delete.title', { label: String(record.label) })}
        </DialogTitle>
        <DialogContent>
          <DialogContentText>{texts('delete.sure')}</DialogContentText>
          {isOpen && resource === 'users' && rights.permitsSomewhere('users:read') && (
            <ResponsibilitiesOf userId={record.id} />
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{texts('cancel')}</Button>
          <Button color="error" variant="contained" disabled={isPending} onClick={confirm}>
            {texts('delete')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
