import { news, newsAreOut } from '../content/news.resource.js';
import { contentSearch } from './content-search.js';
import { displayDate, quickSearchText } from './search-description.js';

export const newsSearch = contentSearch({
  searchName: 'workplace_news_search',
  index: 'News',
  resource: news,
  pages: 'news',
  published: { columns: ['publication_date', 'end_date'], condition: newsAreOut },
  fields: {
    summary: quickSearchText('t.summary'),
    body: quickSearchText('t.body'),
    publicationDate: displayDate('t.publication_date'),
    endDate: displayDate('t.end_date'),
    category: quickSearchText('t.category'),
  },
});
