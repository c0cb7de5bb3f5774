import { useState } from 'react';
import { Alert, Box, Button, FormControlLabel, Radio, RadioGroup, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { post } from '../../api-client/api.js';
import type { Handover, Ref } from '../../api-client/types.js';
import { useAction } from '../api/use-api.js';
import { explainAny } from '../components/problems.js';
import { RefPicker } from '../components/ref-picker.js';
import { useTexts } from '../translations/i18n.js';

/** A choice of who gets tasks: somebody, or for each task those for whom it waited before. */
type Kind = 'somebody' | 'fallback';

/**
 * Chooses who gets tasks.
 * @param onChange gets the value `to` of a call, or undefined while nobody is chosen
 */
export function NewOwnerChoice({ onChange }: { onChange: (to: string | undefined) => void }) {
  const texts = useTexts();
  const [kind, setKind] = useState<Kind>('somebody');
  const [owner, setOwner] = useState<Ref | null>(null);
  const choose = (next: Kind, somebody: Ref | null) => {
    setKind(next);
    setOwner(somebody);
    onChange(next === 'fallback' ? next : somebody?.uri);
  };
  return (
    <>
      <RadioGroup
        aria-label={texts('handover.to')}
        value={kind}
        onChange={(_, next) => choose(next as Kind, owner)}
      >
        {(['somebody', 'fallback'] as const).map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio size="small" />}
            label={texts(`handover.${one}`)}
          />
        ))}
      </RadioGroup>
      {kind === 'somebody' && (
        <Box sx={{ mt: 1 }}>
          <RefPicker
            targets={['users', 'groups']}
            label={texts('handover.owner')}
            value={owner}
            onChange={(next) => choose(kind, next)}
          />
        </Box>
      )}
    </>
  );
}

/** Hands over what waits for a user, after a dry run that says how much it would be. */
export function HandoverForm({ userId }: { userId: string }) {
  const texts = useTexts();
  const act = useAction();
  const [to, setTo] = useState<string>();
  const path = `/api/v2/directory/users/${userId}/handover`;
  const { data: dryRun, error } = useQuery({
    queryKey: ['api', path, to],
    queryFn: () => post<Handover>(path, { to, dryRun: true }),
    enabled: to !== undefined,
  });
  const stays = Object.values(dryRun?.remaining ?? {}).reduce((sum, one) => sum + one, 0);
  const handOver = () => void act(() => post<Handover>(path, { to }), texts('handover.done'));
  return (
    <Box role="group" aria-label={texts('handover')} sx={{ mt: 2 }}>
      <Typography sx={{ fontWeight: 600 }}>{texts('handover')}</Typography>
      <NewOwnerChoice onChange={setTo} />
      {to !== undefined && error && (
        <Alert severity="error" sx={{ mt: 1 }}>
          {explainAny(error, texts)}
        </Alert>
      )}
      {to !== undefined && dryRun && (
        <Typography sx={{ mt: 1 }} data-dry-run>
          {texts('handover.moves', { ...dryRun })}{' '}
          {stays > 0 && texts('handover.stays', { ...dryRun.remaining })}
        </Typography>
      )}
      <Button
        variant="outlined"
        sx={{ mt: 1 }}
        disabled={to === undefined || !dryRun}
        onClick={handOver}
      >
        {texts('handover.do')}
      </Button>
    </Box>
  );
}
