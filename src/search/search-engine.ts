import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database, type Row } from '../database/database.js';
import type { Caller } from '../security/caller.js';
import { ParametersService } from '../security/parameters.service.js';
import type { Place } from './marker.js';
import { presentRecord, type SearchDescription } from './search-description.js';
import {
  matchesStatement,
  PAGE_SIZE,
  type Search,
  WALK_LIMITS,
  walkStatement,
} from './search-statements.js';

/** A page of records with the places of its first and last one. */
export interface FoundPage {
  records: Record<string, unknown>[];
  first?: Place;
  last?: Place;
}

/** Runs any described search. */
@Injectable()
export class SearchEngine {
  /** Tests make them small, so that few records take every way. */
  readonly limits = { ...WALK_LIMITS };

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
    const places = rows.map((row) => ({ title: String(row.at(-1)), id: String(row[0]) }));
    return {
      records: rows.map((row) => presentRecord(search.description, row, context)),
      first: places[0],
      last: places.at(-1),
    };
  }

  /** What is common fills a page by walking the order, what is rare is found by its grams. */
  private async rowsOf(search: Search, caller: Caller): Promise<Row[]> {
    const walked = await this.database.rows(walkStatement(search, caller, this.limits));
    if (walked.length === PAGE_SIZE) return walked;
    const matches = await this.database.rows(matchesStatement(search, caller, this.limits));
    return matches.length > 0 ? matches : walked;
  }
}

/** The fields that a search can be asked to look in. */
export const searchableFields = ({ record }: SearchDescription): string[] => [
  'quickSearch',
  ...Object.entries(record).flatMap(([name, { searched }]) => (searched ? [name] : [])),
];
