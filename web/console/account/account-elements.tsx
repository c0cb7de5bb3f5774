import {
  Alert,
  Box,
  Button,
  Chip,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Typography,
} from '@mui/material';
import { useId } from 'react';
import type { AccountElements } from '../../account/account-elements.js';
import { IconAction, Row, Rows } from '../components/rows.js';
import { Pending, Section } from '../layout/page.js';

/** In CSS pixels. */
const ICON_SIZE = 17;

const AccountDialog: AccountElements['Dialog'] = ({
  title,
  isOpen,
  onClose,
  actions,
  children,
}) => {
  const heading = useId();
  return (
    <Dialog open={isOpen} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={heading}>
      <DialogTitle id={heading}>{title}</DialogTitle>
      <DialogContent>{children}</DialogContent>
      <DialogActions>{actions}</DialogActions>
    </Dialog>
  );
};

/** The account components in the style of the console (theme/mui-theme.ts). */
export const accountElements: AccountElements = {
  Section,
  Rows,
  Row: ({ icon: Icon, title, details, action }) => (
    <Row action={action}>
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center' }}>
        <Icon size={ICON_SIZE} aria-hidden />
        <Box sx={{ minWidth: 0 }}>
          {title}
          <Typography variant="body2" color="textSecondary">
            {details}
          </Typography>
        </Box>
      </Box>
    </Row>
  ),
  Button: ({ icon: Icon, kind = 'plain', isSmall = false, label, ...rest }) => (
    <Button
      variant={isSmall ? 'text' : 'outlined'}
      color={kind === 'danger' ? 'error' : 'primary'}
      size={isSmall ? 'small' : 'medium'}
      startIcon={Icon && <Icon size={ICON_SIZE} aria-hidden />}
      aria-label={label}
      {...rest}
    />
  ),
  IconButton: IconAction,
  Chip: ({ text }) => (
    <Chip size="small" color="success" variant="outlined" label={text} sx={{ ml: 1 }} />
  ),
  Hint: ({ children }) => <Typography color="textSecondary">{children}</Typography>,
  Dialog: AccountDialog,
  Fault: ({ text }) => (
    <div role="alert">
      {text !== undefined && (
        <Alert severity="error" sx={{ mb: 2 }}>
          {text}
        </Alert>
      )}
    </div>
  ),
  Pending: ({ problem, onRetry }) => <Pending error={problem} onRetry={onRetry} />,
};
