import { Alert, AlertTitle } from '@mui/material';
import { useWatch } from 'react-hook-form';
import type { Ref } from '../../api-client/types.js';
import { useTexts } from '../translations/i18n.js';
import { attributeLabel } from '../components/value.js';

/** Says who sees the tile as the form stands: nobody while it is hidden, everyone without an audience. */
export function ApplicationVisibility() {
  const texts = useTexts();
  const [active, audience] = useWatch({ name: ['active', 'audience'] }) as [
    boolean | null | undefined,
    Ref[] | null | undefined,
  ];
  if (active !== true)
    return (
      <Alert severity="warning" sx={{ mb: 2 }}>
        <AlertTitle>{texts('tile.hidden')}</AlertTitle>
        {texts('tile.hidden.text', { active: attributeLabel('active', texts) })}
      </Alert>
    );
  if ((audience ?? []).length > 0) return null;
  return (
    <Alert severity="info" sx={{ mb: 2 }}>
      {texts('tile.everyone')}
    </Alert>
  );
}
