import { users } from '../directory/user.resource.js';
import { uriOf } from '../resources/uri.js';
import {
  displayDate,
  indexed,
  integer,
  made,
  type RecordField,
  type SearchDescription,
  shown,
  text,
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
  titleColumn: 'title',
  visible: (_, alias) => `${alias}.status = 1 AND NOT ${alias}.sysadmin`,
  record: {
    ID: shown('t.id'),
    URI: made((id) => uriOf(users.ref.uri, id)),
    login: indexed('t.login'),
    REFERENCE: shown('t.login'),
    firstName: indexed('t.first_name'),
    lastName: indexed('t.last_name'),
    nickName: indexed('t.nick_name'),
    TITLE: indexed('t.title'),
    email: indexed('t.email'),
    phoneNumber: indexed('t.phone_number'),
    mobilePhoneNumber: indexed('t.mobile_phone_number'),
    hidePhone: hiddenWhenBlank('t.phone_number'),
    hideMobilePhone: hiddenWhenBlank('t.mobile_phone_number'),
    userFunction: indexed('t.user_function'),
    'ORGANIZATION.LABEL': text(
      '(SELECT o.label FROM organizations o WHERE o.id = t.organization_id)',
    ),
    CREATIONDATE: displayDate('t.creation_date'),
    LOCALE: shown('t.locale'),
    PARENTID: shown('t.organization_id'),
    DESCRIPTION: text('t.description'),
    quickSearch: shown('t.quick_search'),
    HYPERLINK: made((id, { basePath }) => page(id, basePath)),
    PHOTO: made((id, { basePath }) => `${basePath}/navigation/directory/users/${id}/photo`),
    status: integer('t.status'),
    link: made((id, { basePath }) => ({ href: page(id, basePath) })),
  },
};
