import type { ReactNode } from 'react';
import { Box } from '@mui/material';

/** Names and values, in a vertical list. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          sm: 'minmax(9rem, max-content) minmax(0, 1fr)',
        },
        columnGap: 3,
        rowGap: 0.75,
        fontSize: '0.9rem',
      }}
    >
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ overflowWrap: 'anywhere', mb: { xs: 0.75, sm: 0 } }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
