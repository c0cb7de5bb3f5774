import { applications, visibleInWorkplace } from '../process/applications/application.resource.js';
import { addressFrom, tileAddress } from '../process/applications/tile-address.js';
import { translated, translation } from '../resources/attributes/translations-attribute.js';
import { uriOf } from '../resources/uri.js';
import {
  computed,
  displayDate,
  displayOnly,
  flag,
  pageLink,
  quickSearchText,
  READER_LOCALE,
  type RecordField,
  type SearchDescription,
} from './search-description.js';

const page: RecordField = {
  sql: tileAddress('t'),
  present: (address, { basePath }) => addressFrom(address, basePath),
};

const IN_ACTIVE_CATEGORY = `EXISTS (SELECT 1 FROM application_categories ac
  JOIN categories c ON c.id = ac.category_id WHERE ac.application_id = t.id AND c.active)`;

const TITLE = translated('t', 'title', READER_LOCALE);

/** The tiles that the workplace shows to the caller (docs/api-contract.md#navigation). */
export const applicationsSearch: SearchDescription = {
  searchName: 'workplace_searchApplications',
  index: 'Applications',
  resource: applications,
  visibleTexts: {
    title: TITLE,
    // A person finds a tile by its own title too: colleagues who read another language use it.
    quickSearch: [
      't.title',
      't.keywords',
      't.reference',
      translation('t', 'title', READER_LOCALE),
      translation('t', 'keywords', READER_LOCALE),
    ],
  },
  baseCondition: IN_ACTIVE_CATEGORY,
  visibility: { columns: ['audience'], condition: visibleInWorkplace },
  record: {
    ID: displayOnly('t.id'),
    URI: computed((id) => uriOf(applications.ref.uri, id)),
    REFERENCE: quickSearchText('t.reference'),
    TITLE: quickSearchText(TITLE),
    keywords: quickSearchText(translated('t', 'keywords', READER_LOCALE)),
    CREATIONDATE: displayDate('t.creation_date'),
    MODIFICATIONDATE: displayDate('t.modification_date'),
    type: displayOnly('t.type'),
    tileColor: displayOnly('t.tile_color'),
    icon: displayOnly('t.icon'),
    targetBlank: flag('t.target_blank'),
    HYPERLINK: page,
    link: pageLink(page),
  },
};
