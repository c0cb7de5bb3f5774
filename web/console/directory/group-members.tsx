import { useState } from 'react';
import { Stack, TablePagination, Typography } from '@mui/material';
import { UserMinus } from 'lucide-react';
import { Link } from 'react-router';
import { query, send } from '../../api-client/api.js';
import type { Ref, User } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { Pending, Section } from '../layout/page.js';
import { RefPicker } from '../components/ref-picker.js';
import { IconAction, Row, Rows } from '../components/rows.js';
import { DebouncedField } from '../components/debounced-field.js';
import { useAction, useApiPage } from '../api/use-api.js';
import { useRights } from '../session/app-context.js';

const PER_PAGE = 10;

/** The members of a group: the page searches them, and adds and removes one at a time. */
export function GroupMembers({ group }: { group: Item }) {
  const texts = useTexts();
  const act = useAction();
  const [page, setPage] = useState(0);
  const [text, setText] = useState('');
  /** The number of changes. After each, the field is empty and has the focus. */
  const [changes, setChanges] = useState(0);
  const members = `/api/v2/directory/groups/${group.id}/members`;
  const search = query({
    range: `${page * PER_PAGE}-${PER_PAGE}`,
    sorter: 'lastName,firstName',
    filters: text === '' ? undefined : `label:contains:${text}`,
  });
  const { data, error, refetch } = useApiPage<User>(`${members}${search}`);
  const mayChange = useRights().permits('groups:change');
  const add = (user: Ref | null) => {
    if (!user) return;
    setChanges(changes + 1);
    void act(
      () => send(`${members}/${user.id}`, { method: 'PUT' }),
      texts('members.added', { label: user.label }),
    );
  };
  const remove = async ({ id, label }: User) => {
    const isDone = await act(
      () => send(`${members}/${id}`, { method: 'DELETE' }),
      texts('members.removed', { label }),
    );
    if (isDone) setChanges((last) => last + 1);
  };
  return (
    <Section title={texts('members')} lead={texts('members.lead')}>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1.5} sx={{ mb: 1.5 }}>
        {mayChange && (
          <RefPicker
            key={changes}
            autoFocus={changes > 0}
            targets={['users']}
            label={texts('members.add')}
            value={null}
            onChange={add}
          />
        )}
        <DebouncedField
          fullWidth
          label={texts('members.search')}
          value={text}
          onTyped={(typed) => {
            setText(typed);
            setPage(0);
          }}
          slotProps={{ htmlInput: { maxLength: 128 } }}
        />
      </Stack>
      {data ? (
        <>
          <MemberRows
            users={data.items}
            onRemove={mayChange ? (user) => void remove(user) : undefined}
          />
          {data.total === 0 && (
            <Typography color="textSecondary">{texts('members.none')}</Typography>
          )}
          {(data.hasNext || page > 0) && (
            <TablePagination
              component="div"
              count={data.total ?? -1}
              page={page}
              rowsPerPage={PER_PAGE}
              rowsPerPageOptions={[PER_PAGE]}
              onPageChange={(_, next) => setPage(next)}
              labelDisplayedRows={({ from, to, count }) =>
                count < 0 ? texts('pages.more', { from, to }) : texts('pages', { from, to, count })
              }
              getItemAriaLabel={(type) => texts(type === 'next' ? 'pages.next' : 'pages.previous')}
            />
          )}
        </>
      ) : (
        <Pending error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  );
}

/** One page of the members, each with its button. */
function MemberRows({ users, onRemove }: { users: User[]; onRemove?: (user: User) => void }) {
  const texts = useTexts();
  return (
    <Rows>
      {users.map((user) => (
        <Row
          key={user.id}
          action={
            onRemove && (
              <IconAction
                icon={UserMinus}
                label={texts('members.remove', { label: user.label })}
                onClick={() => onRemove(user)}
              />
            )
          }
        >
          <Link to={`/users/${user.id}`}>{user.label}</Link>
          <Typography variant="body2" color="textSecondary" noWrap>
            {[user.userFunction, user.organization?.label].filter(Boolean).join(' · ')}
          </Typography>
        </Row>
      ))}
    </Rows>
  );
}
