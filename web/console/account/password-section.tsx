import { Box, Button, TextField } from '@mui/material';
import { useInput, useRecordContext } from 'react-admin';
import { useQuery } from '@tanstack/react-query';
import { PasswordRulesList } from '../../account/password-rules-list.js';
import { BASE, get } from '../../api-client/api.js';
import { SYSADMIN, takesPasswords } from '../../api-client/passwords.js';
import type { PasswordRules } from '../../api-client/types.js';
import { useTexts } from '../translations/i18n.js';
import { Section } from '../layout/page.js';
import { useAppContext } from '../session/app-context.js';
import type { TextKey } from '../translations/en.js';

/** The password of another user. Administrators change their own in the workplace, which asks for the current one. */
export function PasswordSection() {
  const record = useRecordContext();
  const { session, rights } = useAppContext();
  const { user } = session;
  if (!takesPasswords && record?.login !== SYSADMIN) return null;
  if (record?.id === user.id) return <OwnPassword />;
  return rights.permitsSomewhere('users:set-credentials') ? (
    <NewPassword isFirst={!record} />
  ) : null;
}

function OwnPassword() {
  const texts = useTexts();
  return (
    <Section title={texts('password')} lead={texts('password.own')}>
      <Button variant="outlined" href={`${BASE}/workplace/profile`}>
        {texts('password.own.link')}
      </Button>
    </Section>
  );
}

/** A first or a new password, with the rules in force. A blank field changes nothing. */
function NewPassword({ isFirst }: { isFirst: boolean }) {
  const texts = useTexts();
  const { field, fieldState } = useInput({ source: 'password' });
  const { data: rules } = useQuery({
    queryKey: ['password-rules'],
    queryFn: ({ signal }) => get<PasswordRules>('/api/v2/directory/password-rules', signal),
  });
  const password = (field.value as string | null | undefined) ?? '';
  const message = fieldState.error?.message;
  // The server names the failed rules. The list below shows all of them except the history.
  const said = message?.split(',').map((code) => ruleText(code, rules));
  function ruleText(code: string, of: PasswordRules | undefined): string {
    const key = `rule.${code}` as TextKey;
    const text = texts(key, { length: of?.length, history: of?.history });
    return text === key ? code : text;
  }
  return (
    <Section title={texts('password')} lead={texts(isFirst ? 'password.first' : 'password.lead')}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { sm: '1fr 1fr' } }}>
        <TextField
          type="password"
          label={texts('password.new')}
          autoComplete="new-password"
          name="password"
          value={password}
          onChange={field.onChange}
          onBlur={field.onBlur}
          error={message !== undefined}
          helperText={said?.join('; ')}
        />
        {rules && (
          <PasswordRulesList id="password-rules" rules={rules} password={password} texts={texts} />
        )}
      </Box>
    </Section>
  );
}
