import { Box, Typography } from '@mui/material';
import { useWatch } from 'react-hook-form';
import { useRecordContext } from 'react-admin';
import type { Item } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { TilePreview } from '../components/tile-preview.js';

/** The tile as it will look, while its title, icon and colour are chosen. */
export function ApplicationPreview() {
  const texts = useTexts();
  const record = useRecordContext<Item>();
  const [title, icon, tileColor] = useWatch({ name: ['title', 'icon', 'tileColor'] }) as (
    string | null
  )[];
  return (
    <Box sx={{ mb: 2.5, maxWidth: 300 }}>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 0.75 }}>
        {texts('preview')}
      </Typography>
      <TilePreview
        title={title ?? null}
        icon={icon ?? null}
        tileColor={tileColor ?? null}
        count={record?.taskCount as number | undefined}
      />
    </Box>
  );
}
