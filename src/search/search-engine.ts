import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database, type Row } from '../database/database.js';
import type { Caller } from '../security/caller.js';
import { ParametersService } from '../security/parameters.service.js';
import type { Cursor } from './cursor.js';
import { presentRecord, type SearchDescription } from './search-description.js';
import {
  bucketOf,
  matchesStatement,
  PAGE_SIZE,
  type Search,
  sampleStatement,
  SEARCH_LIMITS,
  orderedScanStatement,
} from './search-statements.js';

/** A page of records with the places of its first and last one. */
export interface FoundPage {
  records: Record<string, unknown>[];
  first?: Cursor;
  last?: Cursor;
}

/** Runs any described search. */
@Injectable()
export class SearchEngine {
  /** Tests make them small, so that few records take every way. */
  readonly limits = { ...SEARCH_LIMITS };

  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    private readonly config: Config,
  ) {}

  async find(search: Search, caller: Caller): Promise<FoundPage> {
    const rows = await this.rowsOf(search, caller);
    const context = {
      locale: caller.locale,
      timeZone: (await this.parameters.current()).text('timeZone'),
      basePath: this.config.env.BASE_PATH,
    };
    const places = rows.map(placeOf);
    return {
      records: rows.map((row) => presentRecord(search.description, row, context)),
      first: places[0],
      last: places.at(-1),
    };
  }

  /**
   * What is common fills a page by walking the order, what is rare is found by its grams. What is
   * common and begins late is sought around its first match in a sample.
   */
  private async rowsOf(search: Search, caller: Caller): Promise<Row[]> {
    const walked = await this.database.rows(orderedScanStatement(search, caller, this.limits));
    if (walked.length === PAGE_SIZE) return walked;
    const { hasMore, first } = await this.sample(search, caller);
    if (!hasMore) return walked;
    const around = first === undefined ? undefined : await this.around(first, search, caller);
    return around ?? this.database.rows(matchesStatement(search, caller));
  }

  /**
   * Whether there is more than was walked, and of a common word its first match in a sample; none
   * when few of the sample match, or few of these are the caller's.
   */
  private async sample(
    search: Search,
    caller: Caller,
  ): Promise<{ hasMore: boolean; first?: string }> {
    const [row] = await this.database.rows(sampleStatement(search, caller, this.limits));
    const [hasMore, matches, visible, title] = row!;
    const isCommon = Number(visible) >= Math.max(this.limits.common, Number(matches) / 5);
    return { hasMore: hasMore === true, ...(isCommon && { first: String(title) }) };
  }

  /**
   * The page of a common word, of which one match is known: before the bucket of its title there are
   * few, and behind that the page is soon full. Undefined where it is not.
   */
  private async around(title: string, search: Search, caller: Caller): Promise<Row[] | undefined> {
    const bucket = bucketOf(title);
    const { after } = search;
    const isBehind = after && Buffer.compare(Buffer.from(after.title), Buffer.from(bucket)) >= 0;
    const before = isBehind
      ? []
      : await this.database.rows(matchesStatement(search, caller, bucket));
    if (before.length === PAGE_SIZE) return before;
    const from = isBehind ? search : { ...search, after: { title: bucket, id: '0' } };
    const { far, field, long } = this.limits;
    const walk = orderedScanStatement(from, caller, { quickSearch: far, field, long });
    const page = [...before, ...(await this.database.rows(walk))];
    return page.length < PAGE_SIZE ? undefined : page.slice(0, PAGE_SIZE);
  }
}

/** The place of a record is the last column of its row, the id the first. */
const placeOf = (row: Row): Cursor => ({ title: String(row.at(-1)), id: String(row[0]) });

/** The fields that a search can be asked to look in. */
export const searchableFields = ({ record }: SearchDescription): string[] => [
  'quickSearch',
  ...Object.entries(record).flatMap(([name, { searched }]) => (searched ? [name] : [])),
];
