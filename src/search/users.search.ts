import { users } from '../directory/user.resource.js';
import { uriOf } from '../resources/uri.js';
import {
  displayDate,
  integer,
  made,
  other,
  quick,
  type RecordField,
  type SearchDescription,
  shown,
} from './search-description.js';

const page = (id: string, basePath: string): string => `${basePath}/workplace/users/${id}`;

/** Inline style that hides a blank number (interface: User record). */
const hiddenWhenBlank = (sql: string): RecordField => ({
  sql,
  present: (value) => (value === null || value === '' ? 'display:none' : ''),
});

/** interface: User record. Active users, without the system administrator account. */
export const usersSearch: SearchDescription = {
  searchName: 'workplace_searchUsers',
  index: 'Users',
  table: 'users',
  found: 't.status = 1 AND NOT t.sysadmin',
  record: {
    ID: shown('t.id'),
    URI: made((id) => uriOf(users.ref.uri, id)),
    login: quick('t.login'),
    REFERENCE: quick('t.login'),
    firstName: quick('t.first_name'),
    lastName: quick('t.last_name'),
    nickName: quick('t.nick_name'),
    TITLE: quick('t.title'),
    email: quick('t.email'),
    phoneNumber: quick('t.phone_number'),
    mobilePhoneNumber: quick('t.mobile_phone_number'),
    hidePhone: hiddenWhenBlank('t.phone_number'),
    hideMobilePhone: hiddenWhenBlank('t.mobile_phone_number'),
    userFunction: quick('t.user_function'),
    'ORGANIZATION.LABEL': {
      ...shown('(SELECT o.label FROM organizations o WHERE o.id = t.organization_id)'),
      searched: (holds) =>
        `t.organization_id = ANY (ARRAY(SELECT o.id FROM organizations o WHERE ${holds('o.label')}))`,
    },
    CREATIONDATE: displayDate('t.creation_date'),
    LOCALE: shown('t.locale'),
    PARENTID: shown('t.organization_id'),
    DESCRIPTION: other('t.description'),
    quickSearch: shown('t.quick_search'),
    HYPERLINK: made((id, { basePath }) => page(id, basePath)),
    PHOTO: made((id, { basePath }) => `${basePath}/navigation/directory/users/${id}/photo`),
    status: integer('t.status'),
    link: made((id, { basePath }) => ({ href: page(id, basePath) })),
  },
};
