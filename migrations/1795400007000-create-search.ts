import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addSearch, dropSearch, type SearchedTable } from './schema-helpers.js';

/** The five tables that the named searches read (docs/api-contract.md#search-names). */
const SEARCHED: SearchedTable[] = [
  {
    table: 'users',
    title: 'title',
    quickSearchTexts: [
      'login',
      'first_name',
      'last_name',
      'nick_name',
      'title',
      'email',
      'phone_number',
      'mobile_phone_number',
      'user_function',
    ],
    extraTexts: ['description'],
    baseCondition: 'status = 1 AND NOT sysadmin',
    visibilityColumns: [],
  },
  {
    table: 'documents',
    title: 'title',
    quickSearchTexts: ['title', 'description', 'file_name', 'category', 'keywords'],
    extraTexts: ['reference', 'mime_type', 'version', 'download_url'],
    baseCondition: 'status = 1',
    visibilityColumns: ['audience'],
  },
  {
    table: 'news',
    title: 'title',
    quickSearchTexts: ['title', 'description', 'summary', 'body', 'category'],
    extraTexts: ['reference'],
    baseCondition: 'status = 1',
    visibilityColumns: ['audience', 'publication_date', 'end_date'],
  },
  {
    table: 'faqs',
    title: 'question',
    quickSearchTexts: ['question', 'answer', 'description', 'category', 'keywords'],
    extraTexts: ['reference'],
    baseCondition: 'status = 1',
    visibilityColumns: ['audience'],
  },
  {
    table: 'customers',
    title: 'name',
    quickSearchTexts: [
      'name',
      'code',
      'description',
      'tax_number',
      'email',
      'phone_number',
      'address',
      'city',
      'country',
      'contact_name',
    ],
    extraTexts: ['reference', 'web_site'],
    baseCondition: 'status = 1',
    visibilityColumns: ['audience'],
  },
];

/** Creates the columns, triggers and indexes that keep a page of search fast among millions of rows. */
export class CreateSearch1795400007000 implements MigrationInterface {
  name = 'CreateSearch1795400007000';

  async up(runner: QueryRunner): Promise<void> {
    for (const searched of SEARCHED) await addSearch(runner, searched);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of SEARCHED) await dropSearch(runner, table);
  }
}
