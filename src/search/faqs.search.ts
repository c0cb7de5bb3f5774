import { faqs } from '../content/faq.resource.js';
import { contentSearch } from './content-search.js';
import { indexed } from './search-description.js';

export const faqsSearch = contentSearch({
  searchName: 'workplace_faq_search',
  index: 'Faqs',
  resource: faqs,
  pages: 'faqs',
  fields: {
    question: indexed('t.question'),
    answer: indexed('t.answer'),
    category: indexed('t.category'),
    keywords: indexed('t.keywords'),
  },
});
