import { Alert, Button } from '@mui/material';
import { Eye } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { Item } from '../api/data-provider.js';
import { Section } from '../layout/page.js';
import { useAppContext } from '../session/app-context.js';
import { ConsoleRights } from '../session/rights.js';
import { useTexts } from '../translations/i18n.js';

/** Shows menu and locks of the console as a person or a role would have them. */
export function SeeAsButton({ label, rights }: { label: string; rights: ConsoleRights }) {
  const texts = useTexts();
  const navigate = useNavigate();
  const { seeAs } = useAppContext();
  const see = () => {
    seeAs({ label, rights });
    void navigate('/');
  };
  return (
    <Button
      variant="outlined"
      startIcon={<Eye size={17} aria-hidden />}
      disabled={!rights.openConsole}
      onClick={see}
    >
      {texts('see-as')}
    </Button>
  );
}

/** The console as who has a role everywhere. */
export function SeeAsRole({ role }: { role: Item }) {
  const texts = useTexts();
  const rights = ConsoleRights.ofRole(role.permissions as string[]);
  return (
    <Section title={texts('see-as.role')} lead={texts('see-as.role.lead')}>
      <SeeAsButton label={String(role.label)} rights={rights} />
    </Section>
  );
}

/** Whose console it is, while that is not the person's own, and the way back. */
export function SeenAsBanner() {
  const texts = useTexts();
  const { seenAs, seeAs } = useAppContext();
  if (!seenAs) return null;
  return (
    <Alert
      severity="warning"
      variant="filled"
      sx={{ borderRadius: 0 }}
      action={
        <Button color="inherit" size="small" onClick={() => seeAs(undefined)}>
          {texts('see-as.end')}
        </Button>
      }
    >
      {texts('see-as.banner', { name: seenAs.label })}
    </Alert>
  );
}
