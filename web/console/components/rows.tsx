import type { ReactNode } from 'react';
import { Box, Collapse, IconButton, Stack, Tooltip } from '@mui/material';
import { ChevronDown, ChevronRight, type LucideIcon } from 'lucide-react';

/** A vertical list of parts of a record: sessions, keys, members. */
export function Rows({ children }: { children: ReactNode }) {
  return (
    <Box component="ul" sx={{ p: 0 }}>
      {children}
    </Box>
  );
}

/** An entry and its actions. */
export function Row({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <Stack
      component="li"
      direction="row"
      sx={{ alignItems: 'center', py: 0.75, borderTop: 1, borderColor: 'divider' }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>{children}</Box>
      {action}
    </Stack>
  );
}

/**
 * An entry whose details open on a click.
 * @param details nothing for an entry without details, which has no button but keeps its place
 */
export function ExpandableRow({
  label,
  action,
  isOpen,
  onToggle,
  details,
  children,
}: {
  label: string;
  action?: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  details: ReactNode;
  children: ReactNode;
}) {
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <Row action={action}>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <IconButton
          size="small"
          sx={{ visibility: details ? 'visible' : 'hidden' }}
          aria-expanded={isOpen}
          aria-label={label}
          onClick={onToggle}
        >
          <Icon size={17} aria-hidden />
        </IconButton>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          {children}
          <Collapse in={isOpen} unmountOnExit>
            {details}
          </Collapse>
        </Box>
      </Stack>
    </Row>
  );
}

/** Labels of an entry beside each other. */
export function RowHead({ children }: { children: ReactNode }) {
  return (
    <Stack
      direction="row"
      useFlexGap
      spacing={1}
      sx={{ flexWrap: 'wrap', alignItems: 'center', overflowWrap: 'anywhere' }}
    >
      {children}
    </Stack>
  );
}

/** An icon button; its label is its accessible name and its tooltip. */
export function IconAction({
  icon: Icon,
  label,
  onClick,
}: {
  icon: LucideIcon;
  label: string;
  onClick: () => void;
}) {
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={onClick}>
        <Icon size={17} aria-hidden />
      </IconButton>
    </Tooltip>
  );
}
