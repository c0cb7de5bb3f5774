import { news, newsAreOut } from '../content/news.resource.js';
import { contentSearch } from './content-search.js';
import { displayDate, quick } from './search-description.js';
export const newsSearch = contentSearch({
    searchName: 'workplace_news_search',
    index: 'News',
    resource: news,
    pages: 'news',
    published: { columns: ['publication_date', 'end_date'], condition: newsAreOut },
    fields: {
        summary: quick('t.summary'),
        body: quick('t.body'),
        publicationDate: displayDate('t.publication_date'),
        endDate: displayDate('t.end_date'),
        category: quick('t.category'),
    },
});
//# sourceMappingURL=news.search.js.map