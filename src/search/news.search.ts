import { news, newsAreOut } from '../content/news.resource.js';
import { contentSearch } from './content-search.js';
import { displayDate, indexed } from './search-description.js';

export const newsSearch = contentSearch({
  searchName: 'workplace_news_search',
  index: 'News',
  resource: news,
  pages: 'news',
  published: newsAreOut,
  fields: {
    summary: indexed('t.summary'),
    body: indexed('t.body'),
    publicationDate: displayDate('t.publication_date'),
    endDate: displayDate('t.end_date'),
    category: indexed('t.category'),
  },
});
