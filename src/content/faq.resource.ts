import { contentText, text } from '../resources/attributes/attributes.js';
import { contentResource } from './content-resource.js';
import { Faq } from './faq.entity.js';

const searched = { searched: true };

export const faqs = contentResource({
  name: 'faqs',
  noun: 'frequently asked question',
  uri: '/content/faqs',
  singular: 'faq',
  entity: Faq,
  labelColumn: 'question',
  attributes: {
    question: text({ required: true, max: 300, ...searched }),
    answer: contentText(),
    category: text({ max: 100, ...searched }),
    keywords: contentText({ max: 500 }),
  },
});
