import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Bindings, type Bind } from '../listing/attribute.js';
import { escapeLike } from '../resources/text-attribute.js';
import type { Caller } from '../security/caller.js';
import { ParametersService } from '../security/parameters.service.js';
import type { Place } from './marker.js';
import { presentRecord, type RecordField, type SearchDescription } from './search-description.js';

/** interface: Limits. */
export const PAGE_SIZE = 20;

/** What is searched for. */
export interface Search {
  description: SearchDescription;
  /** Every term must occur in the field; none means every visible record. */
  terms: string[];
  /** Name of a field of the record, or `quickSearch`. */
  field: string;
  /** The place behind which the page begins. */
  after?: Place;
}

/** A page of records with the places of its first and last one. */
export interface FoundPage {
  records: Record<string, unknown>[];
  first?: Place;
  last?: Place;
}

/** Runs any described search. */
@Injectable()
export class SearchEngine {
  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    private readonly config: Config,
  ) {}

  async find(search: Search, caller: Caller): Promise<FoundPage> {
    const { bind, values } = new Bindings();
    const rows = await this.database.rows({
      text: searchText(search, caller, bind),
      values,
      prepared: search.terms.length === 0,
    });
    const context = {
      locale: caller.locale,
      timeZone: (await this.parameters.current()).text('timeZone'),
      basePath: this.config.env.BASE_PATH,
    };
    const places = rows.map((row) => ({ title: String(row.at(-1)), id: String(row[0]) }));
    return {
      records: rows.map((row) => presentRecord(search.description, row, context)),
      first: places[0],
      last: places.at(-1),
    };
  }
}

/** The fields that a search can be asked to look in. */
export const searchableFields = ({ record }: SearchDescription): string[] => [
  'quickSearch',
  ...Object.entries(record).flatMap(([name, field]) => (field.searchable ? [name] : [])),
];

function searchText(
  { description, terms, field, after }: Search,
  caller: Caller,
  bind: Bind,
): string {
  const { table, titleColumn, record, visible } = description;
  const order = `fold(t.${titleColumn}) COLLATE "C"`;
  const columns = Object.values(record).flatMap(({ sql }) => (sql === undefined ? [] : [sql]));
  const conditions = [visible(caller, 't', bind) ?? 'true'];
  if (after)
    conditions.push(`(${order}, t.id) > (${bind(after.title)}::text, ${bind(after.id)}::bigint)`);
  const found = field === 'quickSearch' ? undefined : record[field];
  conditions.push(...terms.flatMap((term) => termConditions(found, `fold(${bind(term)}::text)`)));
  // Matches are collected before they are sorted: left to itself, the planner may walk the whole
  // order in the hope of an early end.
  const matches = `SELECT t.id FROM ${table} t WHERE ${conditions.join(' AND ')}`;
  return terms.length === 0
    ? `SELECT ${columns.join(', ')}, ${order} FROM ${table} t WHERE ${conditions.join(' AND ')} ORDER BY ${order}, t.id LIMIT ${PAGE_SIZE}`
    : `WITH matches AS MATERIALIZED (${matches}),
        page AS MATERIALIZED (SELECT t.id FROM ${table} t JOIN matches ON matches.id = t.id ORDER BY ${order}, t.id LIMIT ${PAGE_SIZE})
      SELECT ${columns.join(', ')}, ${order} FROM ${table} t JOIN page ON page.id = t.id ORDER BY ${order}, t.id`;
}

/** A term occurs in a field; the grams of quick_search narrow it down by their index. */
function termConditions(field: RecordField | undefined, term: string): string[] {
  const expression = field ? `fold(${field.sql}) COLLATE "C"` : 't.quick_search COLLATE "C"';
  const occurs = `${expression} LIKE '%' || ${escapeLike(term)} || '%'`;
  return field && !field.indexed ? [occurs] : [`grams(t.quick_search) @> grams(${term})`, occurs];
}
