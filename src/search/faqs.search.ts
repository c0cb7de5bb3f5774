import { faqs } from '../content/faq.resource.js';
import { contentSearch } from './content-search.js';
import { quickSearchText } from './search-description.js';

export const faqsSearch = contentSearch({
  searchName: 'workplace_faq_search',
  index: 'Faqs',
  resource: faqs,
  pages: 'faqs',
  fields: {
    question: quickSearchText('t.question'),
    answer: quickSearchText('t.answer'),
    category: quickSearchText('t.category'),
    keywords: quickSearchText('t.keywords'),
  },
});
