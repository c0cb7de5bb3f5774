import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Caller } from '../security/caller.js';
import { type Cursor, markersOf } from './cursor.js';
import { type Match, matchOf, rankOf } from './match.js';
import type { SearchDescription } from './search-description.js';
import { type FoundPage, SearchEngine, type SearchRecord } from './search-engine.js';
import { PAGE_SIZE } from './search-description.js';
import type { Search } from './search-statements.js';
import { SEARCHES } from './searches.js';

/** The results of one search, best matches first (docs/api-contract.md#search-of-everything). */
export interface Section {
  searchName: string;
  /** The place where its best record matches. */
  match: Match;
  data: SearchRecord[];
  /** The markers of the first page of the named search, which lead to further pages. */
  searchIndexBottom?: string;
  searchIndexTop?: string;
}

/** The sections, in the order for equal matches. */
const ORDER = [
  'workplace_searchApplications',
  'workplace_searchUsers',
  'workplace_searchTasks',
  'workplace_documents_search',
  'workplace_news_search',
  'workplace_faq_search',
  'workplace_customers_search',
].map((name) => SEARCHES.get(name)!);

/** Runs every named search for one text, and ranks the results (docs/decisions/0031). */
@Injectable()
export class WorkplaceSearchService {
  constructor(
    private readonly engine: SearchEngine,
    private readonly database: Database,
  ) {}

  /**
   * The sections with results, best match first. The searches run one after another, because a typing user would
   * otherwise reach the limit of concurrent searches.
   * @param terms every term must occur in a record
   */
  async find(terms: string[], caller: Caller): Promise<Section[]> {
    const folded = await this.fold(terms);
    const sections: Section[] = [];
    for (const description of ORDER)
      sections.push(...(await this.section(description, terms, folded, caller)));
    return sections.sort((a, b) => rankOf(a.match) - rankOf(b.match));
  }

  /** The section of one search; undefined without results. */
  private async section(
    description: SearchDescription,
    terms: string[],
    folded: string[],
    caller: Caller,
  ): Promise<Section[]> {
    const search: Search = { description, terms, field: 'quickSearch' };
    const page = await this.engine.find(search, caller);
    // A full page has the first titles regardless of the place of their match, so better matches may be missing.
    const isFull = page.places.length === PAGE_SIZE && folded.length > 0;
    const best = isFull ? await this.engine.findFrom(folded.join(' '), search, caller) : undefined;
    const ranked = rank([page, ...(best ? [best] : [])], folded);
    if (ranked[0] === undefined) return [];
    return [
      {
        searchName: description.searchName,
        match: ranked[0].match,
        data: ranked.map(({ record }) => record),
        ...markersOf(description.index, page.places),
      },
    ];
  }

  /** The terms, folded like the stored titles. */
  private async fold(terms: string[]): Promise<string[]> {
    const rows = await this.database.rows({
      text: 'SELECT fold(term) FROM unnest($1::text[]) WITH ORDINALITY AS t(term, place) ORDER BY place',
      values: [terms],
    });
    return rows.map(([term]) => String(term));
  }
}

interface Ranked {
  match: Match;
  record: SearchRecord;
  place: Cursor;
}

/** The records of several pages, each once, by their match, then in the order of the search. */
function rank(pages: FoundPage[], terms: string[]): Ranked[] {
  const found = pages.flatMap(({ records, places }) =>
    places.map((place, at): [string, Ranked] => [
      place.id,
      { match: matchOf(place.title, terms), record: records[at]!, place },
    ]),
  );
  return [...new Map(found).values()].sort(
    (a, b) => rankOf(a.match) - rankOf(b.match) || byPlace(a.place, b.place),
  );
}

const byPlace = (a: Cursor, b: Cursor): number =>
  Buffer.compare(Buffer.from(a.title), Buffer.from(b.title)) ||
  (BigInt(a.id) < BigInt(b.id) ? -1 : 1);
