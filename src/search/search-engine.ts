import { Injectable } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { Database, type Row } from '../database/database.js';
import type { Caller } from '../security/caller.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import type { Cursor } from './cursor.js';
import { PAGE_SIZE, presentRecord, type SearchDescription } from './search-description.js';
import {
  bucketOf,
  matchesStatement,
  type Search,
  sampleStatement,
  SEARCH_LIMITS,
  orderedScanStatement,
  visibleRowsStatement,
} from './search-statements.js';

/** A record that a search has found. */
export type SearchRecord = Record<string, unknown>;

/** A page of records, with the cursor of each. */
export interface FoundPage {
  records: SearchRecord[];
  places: Cursor[];
}

/** Runs any described search. */
@Injectable()
export class SearchEngine {
  /** Tests lower the limits, so that few records exercise every strategy. */
  readonly limits = { ...SEARCH_LIMITS };

  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
    private readonly config: Config,
  ) {}

  async find(search: Search, caller: Caller): Promise<FoundPage> {
    return this.present(await this.rowsOf(search, caller), search, caller);
  }

  /** The matches whose titles begin with a folded text, in order, as far as one ordered scan from this text reaches. */
  async findFrom(start: string, search: Search, caller: Caller): Promise<FoundPage> {
    const from = { ...search, after: { title: start, id: '0' } };
    const rows = await this.scan(from, caller);
    const beginning = rows.filter((row) => placeOf(row).title.startsWith(start));
    return this.present(beginning, search, caller);
  }

  private async present(rows: Row[], { description }: Search, caller: Caller): Promise<FoundPage> {
    const context = {
      locale: caller.locale,
      timeZone: (await this.parameters.current()).timeZone,
      basePath: this.config.env.BASE_PATH,
    };
    return {
      records: rows.map((row) => presentRecord(description, row, context)),
      places: rows.map(placeOf),
    };
  }

  private scan(search: Search, caller: Caller): Promise<Row[]> {
    return this.database.rows(
      search.description.visibleTexts
        ? visibleRowsStatement(search, caller)
        : orderedScanStatement(search, caller, this.limits),
    );
  }

  /**
   * An ordered scan fills the page of a common term, and the n-gram index finds a rare one. For a common
   * term that begins late in the order, the scan starts around its first match in a sample.
   */
  private async rowsOf(search: Search, caller: Caller): Promise<Row[]> {
    const walked = await this.scan(search, caller);
    if (walked.length === PAGE_SIZE || search.description.visibleTexts) return walked;
    const { hasMore, first } = await this.sample(search, caller);
    if (!hasMore) return walked;
    const around = first === undefined ? undefined : await this.around(first, search, caller);
    return around ?? this.database.rows(matchesStatement(search, caller));
  }

  /**
   * Whether rows remain beyond the scanned range and, for a common term, its first match in a sample. There
   * is no first match when few sampled rows match, or the caller may see few of those.
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
   * The page of a common term around a known match: few matches come before the prefix range of its title,
   * and a scan from there fills the page. Undefined when it does not.
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

/** The first column of a row is the id, the last its folded title. */
const placeOf = (row: Row): Cursor => ({ title: String(row.at(-1)), id: String(row[0]) });

/** The fields that searchField may name. */
export const searchableFields = ({ record }: SearchDescription): string[] => [
  'quickSearch',
  ...Object.entries(record).flatMap(([name, { searched }]) => (searched ? [name] : [])),
];
