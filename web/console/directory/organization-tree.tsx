import { type ReactNode, useMemo, useState } from 'react';
import {
  Box,
  Button,
  Card,
  Chip,
  IconButton,
  Stack,
  TextField,
  Tooltip,
  Typography,
} from '@mui/material';
import { ChevronDown, ChevronRight, Plus, Table2 } from 'lucide-react';
import { useTranslate } from 'react-admin';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Ref } from '../../api-client/types.js';
import { fetchAll } from '../api/fetch-all.js';
import { useTexts } from '../translations/i18n.js';
import { Page, Pending } from '../layout/page.js';
import { useRights } from '../session/app-context.js';

interface Organization extends Ref {
  parent: Ref | null;
  manager: Ref | null;
  active: boolean;
}

interface Branch {
  organization: Organization;
  children: Branch[];
}

/** Letters without case and accents, as the server compares them. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Organizations under their parents; with a text, only the matches and their ancestors. */
function branchesOf(all: Organization[], text: string): Branch[] {
  const ids = new Set(all.map(({ id }) => id));
  const byParent = Map.groupBy(all, ({ parent }) =>
    parent !== null && ids.has(parent.id) ? parent.id : '',
  );
  const below = (id: string): Branch[] =>
    (byParent.get(id) ?? []).flatMap((organization) => {
      const children = below(organization.id);
      const isFound = folded(`${organization.label} ${organization.reference}`).includes(text);
      return isFound || children.length > 0 ? [{ organization, children }] : [];
    });
  return below('');
}

/** The organizations as a tree that opens branch by branch. */
export function OrganizationTree() {
  const texts = useTexts();
  const translate = useTranslate();
  const [text, setText] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['tree'],
    queryFn: () => fetchAll<Organization>('organizations', { sorter: 'label' }),
  });
  const branches = useMemo(() => branchesOf(data ?? [], folded(text.trim())), [data, text]);
  const mayCreate = useRights().permitsAny('organizations', 'create');
  const list = translate('resources.organizations.name', { smart_count: 2 });
  return (
    <Page
      narrow
      title={texts('tree.title')}
      lead={texts('tree.lead')}
      actions={
        <>
          <Button component={Link} to="/organizations" startIcon={<Table2 size={17} aria-hidden />}>
            {list}
          </Button>
          {mayCreate && (
            <Button
              component={Link}
              to="/organizations/create"
              variant="contained"
              startIcon={<Plus size={17} aria-hidden />}
            >
              {texts('create')}
            </Button>
          )}
        </>
      }
    >
      <Card sx={{ p: 2 }}>
        <TextField
          type="search"
          label={texts('search')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          sx={{ mb: 1.5, width: { xs: '100%', sm: 320 } }}
        />
        {data ? (
          <Branches branches={branches} level={0} isSearched={text.trim() !== ''} />
        ) : (
          <Pending error={error} onRetry={() => void refetch()} />
        )}
        {data && branches.length === 0 && (
          <Typography color="textSecondary">{texts('list.none')}</Typography>
        )}
      </Card>
    </Page>
  );
}

function Branches({
  branches,
  level,
  isSearched,
}: {
  branches: Branch[];
  level: number;
  isSearched: boolean;
}): ReactNode {
  return (
    <Box component="ul" sx={{ p: 0, pl: level === 0 ? 0 : { xs: 1.5, sm: 3 } }}>
      {branches.map((branch) => (
        <BranchItem
          key={branch.organization.id}
          branch={branch}
          level={level}
          isSearched={isSearched}
        />
      ))}
    </Box>
  );
}

function BranchItem({
  branch: { organization, children },
  level,
  isSearched,
}: {
  branch: Branch;
  level: number;
  isSearched: boolean;
}) {
  const texts = useTexts();
  const mayCreate = useRights().permitsAny('organizations', 'create');
  const [isChosen, setChosen] = useState<boolean>();
  // The first levels are open until the person closes them; a search opens its matches.
  const isOpen = isChosen ?? (isSearched || level < 2);
  const { id, uri, reference, label, manager, active } = organization;
  const parent: Ref = { id, uri, reference, label };
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <Stack
        direction="row"
        spacing={0.5}
        sx={{ alignItems: 'center', borderRadius: 1, '&:hover': { bgcolor: 'action.hover' } }}
      >
        <Box sx={{ width: 32, flex: 'none' }}>
          {children.length > 0 && (
            <IconButton
              size="small"
              aria-expanded={isOpen}
              aria-label={texts(isOpen ? 'tree.close' : 'tree.open', { label })}
              onClick={() => setChosen(!isOpen)}
            >
              <Icon size={18} aria-hidden />
            </IconButton>
          )}
        </Box>
        <Stack
          direction="row"
          useFlexGap
          spacing={1}
          sx={{ flex: 1, py: 0.6, flexWrap: 'wrap', alignItems: 'center', minWidth: 0 }}
        >
          <Box component={Link} to={`/organizations/${id}`} sx={{ fontWeight: 540 }}>
            {label}
          </Box>
          <Typography component="span" variant="body2" color="textSecondary">
            {[reference, manager?.label].filter(Boolean).join(' · ')}
          </Typography>
          {children.length > 0 && <Chip size="small" label={children.length} />}
          {!active && <Chip size="small" variant="outlined" label={texts('inactive')} />}
        </Stack>
        {mayCreate && (
          <Tooltip title={texts('tree.add', { label })}>
            <IconButton
              size="small"
              component={Link}
              to="/organizations/create"
              state={{ record: { parent } }}
              aria-label={texts('tree.add', { label })}
            >
              <Plus size={17} aria-hidden />
            </IconButton>
          </Tooltip>
        )}
      </Stack>
      {isOpen && children.length > 0 && (
        <Branches branches={children} level={level + 1} isSearched={isSearched} />
      )}
    </li>
  );
}
