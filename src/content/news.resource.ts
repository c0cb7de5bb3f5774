import { contentText, text, timestamp } from '../resources/attributes/attributes.js';
import { contentResource } from './content-resource.js';
import { News } from './news.entity.js';

const searched = { searched: true };

/** News are published from their publication date to their end date. */
export const newsAreOut = (alias: string): string =>
  `coalesce(${alias}.publication_date <= now(), true) AND coalesce(${alias}.end_date > now(), true)`;

export const news = contentResource({
  name: 'news',
  noun: 'news item',
  uri: '/content/news',
  singular: 'news',
  entity: News,
  labelColumn: 'title',
  attributes: {
    title: text({ required: true, max: 200, ...searched }),
    summary: contentText({ max: 2000 }),
    body: contentText(),
    publicationDate: timestamp(),
    endDate: timestamp(),
    category: text({ max: 100, ...searched }),
  },
  published: newsAreOut,
});
