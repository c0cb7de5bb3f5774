import { isPerson, users } from '../directory/user.resource.js';
import { uriOf } from '../resources/uri.js';
import {
  displayDate,
  integer,
  computed,
  extraText,
  pageLink,
  quickSearchText,
  type RecordField,
  type SearchDescription,
  displayOnly,
} from './search-description.js';

const page = computed((id, { basePath }) => `${basePath}/workplace/users/${id}`);

/** Inline style that hides a blank number (docs/api-contract.md#user-record). */
const hiddenWhenBlank = (sql: string): RecordField => ({
  sql,
  present: (value) => (value === null || value === '' ? 'display:none' : ''),
});

/** Active people, without the system administrator account (docs/api-contract.md#user-record). */
export const usersSearch: SearchDescription = {
  searchName: 'workplace_searchUsers',
  index: 'Users',
  resource: users,
  baseCondition: `t.status = 1 AND NOT t.sysadmin AND ${isPerson('t')}`,
  record: {
    ID: displayOnly('t.id'),
    URI: computed((id) => uriOf(users.ref.uri, id)),
    login: quickSearchText('t.login'),
    REFERENCE: quickSearchText('t.login'),
    firstName: quickSearchText('t.first_name'),
    lastName: quickSearchText('t.last_name'),
    nickName: quickSearchText('t.nick_name'),
    TITLE: quickSearchText('t.title'),
    email: quickSearchText('t.email'),
    phoneNumber: quickSearchText('t.phone_number'),
    mobilePhoneNumber: quickSearchText('t.mobile_phone_number'),
    hidePhone: hiddenWhenBlank('t.phone_number'),
    hideMobilePhone: hiddenWhenBlank('t.mobile_phone_number'),
    userFunction: quickSearchText('t.user_function'),
    'ORGANIZATION.LABEL': {
      ...displayOnly('(SELECT o.label FROM organizations o WHERE o.id = t.organization_id)'),
      searched: (holds) =>
        `t.organization_id = ANY (ARRAY(SELECT o.id FROM organizations o WHERE ${holds('o.label')}))`,
    },
    CREATIONDATE: displayDate('t.creation_date'),
    LOCALE: displayOnly('t.locale'),
    PARENTID: displayOnly('t.organization_id'),
    DESCRIPTION: extraText('t.description'),
    quickSearch: displayOnly('t.quick_search'),
    HYPERLINK: page,
    PHOTO: computed((id, { basePath }) => `${basePath}/navigation/directory/users/${id}/photo`),
    status: integer('t.status'),
    link: pageLink(page),
  },
};
