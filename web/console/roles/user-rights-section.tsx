import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { get } from '../../api-client/api.js';
import { SYSADMIN } from '../../api-client/passwords.js';
import type { UserRights } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { Pending, Section } from '../layout/page.js';
import { placeOf } from '../resources.js';
import { ConsoleRights } from '../session/rights.js';
import { useTexts } from '../translations/i18n.js';
import { permittedAction, permittedAttributes, permittedObjects } from './permission-texts.js';
import { SeeAsButton } from './see-as.js';

type UserRight = UserRights['permissions'][number];

/** What a user may do by roles, and which assignment gives it (docs/api-contract.md#roles). */
export function UserRightsSection({ user }: { user: Item }) {
  const texts = useTexts();
  const path = `/api/v2/directory/users/${user.id}/rights`;
  const { data, error, refetch } = useQuery({
    queryKey: ['api', path],
    queryFn: ({ signal }) => get<UserRights>(path, signal),
  });
  const isSysadmin = user.login === SYSADMIN;
  return (
    <Section
      title={texts('rights.title')}
      lead={texts(isSysadmin ? 'rights.sysadmin' : 'rights.lead')}
      actions={
        data && (
          <SeeAsButton
            label={String(user.label)}
            rights={new ConsoleRights(data.permissions, isSysadmin)}
          />
        )
      }
    >
      {!data && <Pending error={error} onRetry={() => void refetch()} />}
      {data?.permissions.length === 0 && (
        <Typography color="textSecondary">{texts('rights.none')}</Typography>
      )}
      {data && data.permissions.length > 0 && <RightsTable permissions={data.permissions} />}
    </Section>
  );
}

const resourceIn = ({ permission }: UserRight): string => permission.split(':')[0]!;
const actionIn = ({ permission }: UserRight): string => permission.split(':')[1]!;

/** A line for what one assignment permits with the objects of one resource. */
function RightsTable({ permissions }: { permissions: UserRight[] }) {
  const texts = useTexts();
  const lines = [
    ...Map.groupBy(permissions, (right) =>
      [resourceIn(right), right.assignment, right.attributes].join(' '),
    ).values(),
  ];
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Table size="small" sx={{ '& tr:last-child th': { borderBottom: 0 } }}>
        <TableHead>
          <TableRow>
            <TableCell>{texts('rights.objects')}</TableCell>
            <TableCell>{texts('rights.actions')}</TableCell>
            <TableCell>{texts('rights.reason')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {lines.map((line) => {
            const [first] = line as [UserRight];
            const actions = line.map((right) => permittedAction(actionIn(right), texts)).join(', ');
            return (
              <TableRow key={[first.permission, first.assignment, first.attributes].join(' ')}>
                <TableCell component="th" scope="row">
                  {permittedObjects(resourceIn(first), texts)}
                </TableCell>
                <TableCell>{actions + permittedAttributes(first.attributes, texts)}</TableCell>
                <TableCell>
                  <Reason right={first} />
                </TableCell>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </Box>
  );
}

/** The role that gives a right and where, as a link to the assignment. */
function Reason({
  right: { role, organization, group, application, assignment },
}: {
  right: UserRight;
}) {
  const texts = useTexts();
  const scope = organization ?? group ?? application;
  const label = scope
    ? texts('rights.within', { role: role.label, scope: scope.label })
    : texts('rights.everywhere', { role: role.label });
  const place = placeOf(assignment);
  return place ? <Link to={`/${place.resource}/${place.id}`}>{label}</Link> : label;
}
