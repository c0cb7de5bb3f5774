import type { ReactNode } from 'react';
import { Box, IconButton, Stack, Tooltip } from '@mui/material';
import type { LucideIcon } from 'lucide-react';

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
