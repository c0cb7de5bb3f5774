import { Box, Chip, Typography } from '@mui/material';
import { TILE_ICONS } from '../../theme/tile-icons.js';
import { NO_COLOR, TILE_COLORS } from '../theme/tile-colors.js';

export interface Tile {
  title: string | null;
  icon: string | null;
  tileColor: string | null;
}

/** The icon of an application on its colour; the first letter where it has none. */
export function TileIcon({ title, icon, tileColor, size = 44 }: Tile & { size?: number }) {
  const Icon = TILE_ICONS[icon ?? ''];
  return (
    <Box
      component="span"
      aria-hidden
      sx={{
        display: 'grid',
        placeItems: 'center',
        flex: 'none',
        width: size,
        height: size,
        borderRadius: `${Math.round(size / 3.7)}px`,
        bgcolor: TILE_COLORS[tileColor ?? ''] ?? NO_COLOR,
        color: '#fff',
        fontWeight: 650,
        fontSize: size / 2.5,
      }}
    >
      {Icon ? (
        <Icon style={{ inlineSize: '1.2em', blockSize: '1.2em' }} />
      ) : (
        ([...(title ?? '')][0] ?? '')
      )}
    </Box>
  );
}

/** An application as people see it in the workplace. */
export function TilePreview({ count, note, ...tile }: Tile & { count?: number; note?: string }) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.75,
        p: 2,
        minHeight: 78,
        border: 1,
        borderColor: 'divider',
        borderRadius: '14px',
        bgcolor: 'background.paper',
      }}
    >
      <TileIcon {...tile} />
      <Box sx={{ minWidth: 0 }}>
        <Typography
          sx={{ fontWeight: 570, lineHeight: 1.3, overflowWrap: 'break-word', hyphens: 'auto' }}
        >
          {tile.title || '…'}
        </Typography>
        {note !== undefined && <Chip size="small" label={note} sx={{ mt: 0.5 }} />}
      </Box>
      {count !== undefined && count > 0 && (
        <Box
          component="span"
          sx={{
            ml: 'auto',
            px: 1,
            borderRadius: 9,
            bgcolor: 'action.selected',
            color: 'primary.main',
            fontWeight: 600,
            fontSize: '0.82rem',
          }}
        >
          {count}
        </Box>
      )}
    </Box>
  );
}
