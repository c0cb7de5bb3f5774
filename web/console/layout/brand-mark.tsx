import { Box } from '@mui/material';
import { branding } from '../../theme/branding.js';
import icon from '../icon.svg';

/** The logo, or the icon of the console. */
export function BrandMark({ size }: { size: number }) {
  return (
    <Box
      component="img"
      src={branding.logo ?? icon}
      alt=""
      sx={{ height: size, minWidth: size, maxWidth: size * 5, objectFit: 'contain' }}
    />
  );
}
