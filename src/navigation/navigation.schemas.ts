import { namedSchema } from '../resources/openapi/component.js';
import {
  count,
  atLeast,
  flag,
  listOf,
  orNull,
  REF,
  text,
  texts,
} from '../resources/openapi/schemas.js';

const category = texts('id', 'title', 'comparisonValue');
const application = {
  ...texts('id', 'title', 'reference', 'tileColor'),
  type: { enum: ['PROCESS', 'LINK'] },
  ...texts('link', 'icon'),
  targetBlank: flag,
  ...texts('helpLinkJS', 'keywords', 'updateCounterUrl', 'comparisonValue'),
};

/** A category as a portal gets it (docs/api-contract.md#category). */
export const CATEGORY_ENTRY = namedSchema('CategoryEntry', atLeast(category));

/** An application as a portal gets it (docs/api-contract.md#application-entry). */
export const APPLICATION_ENTRY = namedSchema('ApplicationEntry', atLeast(application));

export const INDICATOR = namedSchema('Indicator', atLeast({ type: { const: 'COUNTER' }, count }));

const WORKPLACE_APPLICATION = namedSchema(
  'WorkplaceApplication',
  atLeast({ ...application, indicator: orNull(INDICATOR), favourite: flag }),
);

export const WORKPLACE_CATEGORY = namedSchema(
  'WorkplaceCategory',
  atLeast({ ...category, applications: listOf(WORKPLACE_APPLICATION) }),
);

export const FAVOURITES = namedSchema('Favourites', atLeast({ applications: listOf(REF) }));

const REASONS = [
  'everyone',
  'user',
  'group',
  'organization',
  'inactive',
  'audience',
  'no-active-category',
];

export const PREVIEW = namedSchema(
  'Preview',
  atLeast({
    user: REF,
    workplace: listOf(WORKPLACE_CATEGORY),
    applications: listOf(
      atLeast({
        application: REF,
        shown: flag,
        reasons: listOf(atLeast({ code: { enum: REASONS }, text, principal: orNull(REF) })),
      }),
    ),
  }),
);
