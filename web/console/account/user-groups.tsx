import { useState } from 'react';
import { Box, Typography } from '@mui/material';
import { UserMinus } from 'lucide-react';
import { Link } from 'react-router';
import { send } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { Section } from '../layout/page.js';
import { RefPicker } from '../components/ref-picker.js';
import { IconAction, Row, Rows } from '../components/rows.js';
import { useRights } from '../session/app-context.js';
import { useAction } from '../api/use-api.js';

/** The groups of a user, with buttons to add and remove memberships. */
export function UserGroups({ user }: { user: Item }) {
  const texts = useTexts();
  const act = useAction();
  /** The number of changes. After each, the field is empty and has the focus. */
  const [changes, setChanges] = useState(0);
  const mayChange = useRights().permits('groups:change');
  const groups = user.groups as Ref[];
  const write = (method: 'PUT' | 'DELETE', { id }: Ref) =>
    send(`/api/v2/directory/groups/${id}/members/${user.id}`, { method });
  const add = (group: Ref | null) => {
    if (!group) return;
    setChanges(changes + 1);
    void act(() => write('PUT', group), texts('groups.added', { label: group.label }));
  };
  const leave = async (group: Ref) => {
    const isDone = await act(
      () => write('DELETE', group),
      texts('groups.left', { label: group.label }),
    );
    if (isDone) setChanges((last) => last + 1);
  };
  return (
    <Section title={texts('attribute.groups')} lead={texts('groups.lead')}>
      {mayChange && (
        <Box sx={{ maxWidth: 460, mb: 1.5 }}>
          <RefPicker
            key={changes}
            autoFocus={changes > 0}
            targets={['groups']}
            label={texts('groups.add')}
            value={null}
            onChange={add}
          />
        </Box>
      )}
      <Rows>
        {groups.map((group) => (
          <Row
            key={group.id}
            action={
              mayChange && (
                <IconAction
                  icon={UserMinus}
                  label={texts('groups.leave', { label: group.label })}
                  onClick={() => void leave(group)}
                />
              )
            }
          >
            <Link to={`/groups/${group.id}`}>{group.label}</Link>
          </Row>
        ))}
      </Rows>
      {groups.length === 0 && <Typography color="textSecondary">{texts('groups.none')}</Typography>}
    </Section>
  );
}
