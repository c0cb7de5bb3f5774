import { useState } from 'react';
import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from '@mui/material';
import { Copy, type LucideIcon } from 'lucide-react';
import { copyText } from '../../account/copy-text.js';
import { useTexts } from '../translations/i18n.js';

/** A code or key that is shown only once. */
export function OneTimeSecret({
  icon: Icon,
  title,
  text,
  secret,
  onClose,
}: {
  icon: LucideIcon;
  title: string;
  text?: string;
  secret: string | undefined;
  onClose: () => void;
}) {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  const close = () => {
    setCopied(false);
    onClose();
  };
  const copy = () => void copyText(secret ?? '').then(setCopied);
  return (
    <Dialog
      open={secret !== undefined}
      onClose={close}
      maxWidth="sm"
      fullWidth
      aria-labelledby="secret"
    >
      <DialogTitle id="secret" sx={{ display: 'flex', gap: 1.25, alignItems: 'center' }}>
        <Icon size={20} aria-hidden />
        {title}
      </DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>{text}</DialogContentText>
        <Box
          component="code"
          sx={{
            display: 'block',
            p: 1.5,
            borderRadius: 1,
            bgcolor: 'action.hover',
            overflowWrap: 'anywhere',
            userSelect: 'all',
          }}
        >
          {secret}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button startIcon={<Copy size={17} aria-hidden />} onClick={copy}>
          {texts(isCopied ? 'copied' : 'copy')}
        </Button>
        <Button variant="contained" onClick={close}>
          {texts('close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
