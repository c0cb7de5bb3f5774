import { Alert, AlertTitle } from '@mui/material';
import { useWatch } from 'react-hook-form';
import type { Ref } from '../../api-client/types.js';
import { useTexts } from '../translations/i18n.js';
import { attributeLabel } from '../components/value.js';

/**
 * Shows who would see the tile with the present values of the form: no user while it is hidden or in no category, all
 * users without an audience. It also warns that a tile without a link opens nothing.
 */
export function ApplicationVisibility() {
  const texts = useTexts();
  const [type, link] = useWatch({ name: ['type', 'link'] }) as (string | null | undefined)[];
  return (
    <>
      <Viewers />
      {type === 'LINK' && !link && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {texts('tile.no-link')}
        </Alert>
      )}
    </>
  );
}

function Viewers() {
  const texts = useTexts();
  const [active, categories, audience] = useWatch({
    name: ['active', 'categories', 'audience'],
  }) as [boolean | null | undefined, Ref[] | null | undefined, Ref[] | null | undefined];
  if (active !== true)
    return (
      <Alert severity="warning" sx={{ mb: 2 }}>
        <AlertTitle>{texts('tile.hidden')}</AlertTitle>
        {texts('tile.hidden.text', { active: attributeLabel('active', texts) })}
      </Alert>
    );
  if (!categories?.length)
    return (
      <Alert severity="warning" sx={{ mb: 2 }}>
        {texts('tile.no-category')}
      </Alert>
    );
  if (audience?.length) return null;
  return (
    <Alert severity="info" sx={{ mb: 2 }}>
      {texts('tile.everyone')}
    </Alert>
  );
}
