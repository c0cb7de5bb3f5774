import type { ReactNode } from 'react';
import { Box, IconButton, Stack, Tooltip } from '@mui/material';
import type { LucideIcon } from 'lucide-react';

/** What belongs to a record, one below the other: its sessions, keys, members. */
export function Rows({ children }: { children: ReactNode }) {
  return (
    <Box component="ul" sx={{ p: 0 }}>
      {children}
    </Box>
  );
}

/** One of them, and what can be done with it. */
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

/** A button that is an icon; its label is said, and shown to who points at it. */
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
