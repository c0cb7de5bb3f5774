import { Box, Typography } from '@mui/material';
import { useWatch } from 'react-hook-form';
import { useTexts } from '../translations/i18n.js';
import { TilePreview } from '../components/tile-preview.js';

/** A preview of the tile with the present title, icon and colour. */
export function ApplicationPreview() {
  const texts = useTexts();
  const [title, icon, tileColor] = useWatch({ name: ['title', 'icon', 'tileColor'] }) as (
    string | null
  )[];
  return (
    <Box sx={{ mb: 2.5, maxWidth: 300 }}>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 0.75 }}>
        {texts('preview')}
      </Typography>
      <TilePreview title={title ?? null} icon={icon ?? null} tileColor={tileColor ?? null} />
    </Box>
  );
}
