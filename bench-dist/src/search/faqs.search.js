import { faqs } from '../content/faq.resource.js';
import { contentSearch } from './content-search.js';
import { quick } from './search-description.js';
export const faqsSearch = contentSearch({
    searchName: 'workplace_faq_search',
    index: 'Faqs',
    resource: faqs,
    pages: 'faqs',
    fields: {
        question: quick('t.question'),
        answer: quick('t.answer'),
        category: quick('t.category'),
        keywords: quick('t.keywords'),
    },
});
//# sourceMappingURL=faqs.search.js.map