import { TextField } from '@mui/material';
import { useInput } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';

/** The password of the account that reads an LDAP directory, which the server never shows. A blank field changes nothing. */
export function BindPassword() {
  const texts = useTexts();
  const kind: unknown = useWatch({ name: 'kind' });
  const { field, fieldState } = useInput({ source: 'bindPassword' });
  if (kind !== 'ldap') return null;
  return (
    <Section title={texts('attribute.bindPassword')} lead={texts('bind-password.lead')}>
      <TextField
        type="password"
        label={texts('password.new')}
        autoComplete="new-password"
        name="bindPassword"
        value={(field.value as string | null | undefined) ?? ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
        error={fieldState.invalid}
      />
    </Section>
  );
}
