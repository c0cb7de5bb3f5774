/**
 * The kinds of content. A page shows long texts, then facts. A list is sorted by `sorter` and shows the details, then
 * the beginning of the `teaser`.
 */
const KINDS = {
  documents: {
    texts: ['description'],
    facts: ['category', 'version', 'fileName', 'size'],
    sorter: 'label',
    details: ['category', 'version', 'size'],
    teaser: 'description',
  },
  news: {
    texts: ['summary', 'body'],
    facts: ['category', 'endDate'],
    sorter: '-publicationDate,-creationDate',
    details: ['publicationDate', 'category'],
    teaser: 'summary',
  },
  faqs: {
    texts: ['answer'],
    facts: ['category'],
    sorter: 'label',
    details: ['category'],
    teaser: 'answer',
  },
  customers: {
    texts: ['description'],
    facts: [
      'contactName',
      'email',
      'phoneNumber',
      'webSite',
      'address',
      'city',
      'country',
      'code',
      'taxNumber',
    ],
    sorter: 'label',
    details: ['city', 'country'],
    teaser: 'description',
  },
} as const satisfies Record<string, ContentKindDescription>;

interface ContentKindDescription {
  texts: string[];
  facts: string[];
  sorter: string;
  details: string[];
  teaser: string;
}

export type ContentKind = keyof typeof KINDS;

export const isContentKind = (text: string): text is ContentKind => Object.hasOwn(KINDS, text);

export const describeKind = (kind: ContentKind): ContentKindDescription => KINDS[kind];
