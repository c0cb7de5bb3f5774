import { Injectable } from '@nestjs/common';
import { Bindings } from '../database/bindings.js';
import { type BoundStatement, Database } from '../database/database.js';
import { folded } from '../resources/attributes/folded-text.js';
import type { Caller } from '../security/caller.js';
import { nearest } from './nearest.js';
import { SearchEngine } from './search-engine.js';
import { usersSearch } from './users.search.js';

/** Suggested texts of an answer. */
const SUGGESTIONS = 3;

/** Letters of the shortest term that may be misspelled. */
const SHORTEST = 3;

/** Names that the scan of one column reads at most; each costs a step down the index. */
const MAX_NAMES = 2_000;

/** Terms of a text that gets suggestions. */
const MAX_TERMS = 4;

/** Of these, those that are misspelled: each scans the names. */
const MAX_MISSPELLED = 2;

/** The columns of names; the sort index of each includes it. */
const COLUMNS = ['last_name', 'first_name'];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Suggests names of people for a text that finds nobody (docs/api-contract.md#suggestions, docs/decisions/0062). */
@Injectable()
export class SuggestionsService {
  constructor(
    private readonly engine: SearchEngine,
    private readonly database: Database,
  ) {}

  /**
   * Texts near the given one that find somebody, the nearest first; none for a text that finds somebody itself.
   * @param terms every term must occur in a record
   */
  async suggest(terms: string[], caller: Caller): Promise<string[]> {
    if (terms.length > MAX_TERMS || (await this.finds(terms, caller))) return [];
    const choices: string[][] = [];
    let misspelled = 0;
    for (const term of terms)
      if (terms.length > 1 && (await this.finds([term], caller))) choices.push([term]);
      else if (++misspelled > MAX_MISSPELLED) return [];
      else choices.push(nearest(term, await this.names(term, caller)).slice(0, SUGGESTIONS));
    const suggestions: string[] = [];
    for (let nth = 0; nth < SUGGESTIONS; nth++) {
      const text = choices.map((names) => names[Math.min(nth, names.length - 1)] ?? '');
      if (text.includes('') || suggestions.includes(text.join(' '))) break;
      if (await this.finds(text, caller)) suggestions.push(text.join(' '));
    }
    return suggestions;
  }

  private async finds(terms: string[], caller: Caller): Promise<boolean> {
    const search = { description: usersSearch, terms, field: 'quickSearch' };
    return (await this.engine.find(search, caller)).records.length > 0;
  }

  /** The names that may be near a term. */
  private async names(term: string, caller: Caller): Promise<string[]> {
    const [[start]] = (await this.database.rows({
      text: 'SELECT fold($1)',
      values: [term],
    })) as [[string]];
    if (start.length < SHORTEST) return [];
    const names: string[] = [];
    for (const column of COLUMNS) names.push(...(await this.namesOf(column, start, caller)));
    return names;
  }

  /** The names of one column. Where too many begin as the first half of a term does, those that share more with it. */
  private async namesOf(column: string, term: string, caller: Caller): Promise<string[]> {
    for (let length = Math.ceil(term.length / 2); ; length++) {
      const rows = await this.database.rows(namesStatement(column, term, length, caller));
      if (rows.length < MAX_NAMES || length >= term.length - 1)
        return rows.map(([name]) => String(name));
    }
  }
}

/**
 * The distinct names that begin with the first letters of a term, each by one step down the sort index of its column, and
 * those that differ from it by one of these letters.
 */
function namesStatement(
  column: string,
  term: string,
  length: number,
  caller: Caller,
): BoundStatement {
  const { bind, values } = new Bindings();
  const name = folded(`u.${column}`);
  const start = bind(term.slice(0, length));
  const step = (from: string): string =>
    `SELECT ${name} AS folded, u.${column} AS name FROM users u
       WHERE ${from} AND ${name} < ${start}::text || U&'\\FFFF' ORDER BY 1, u.id LIMIT 1`;
  return {
    text: `WITH RECURSIVE beginning AS (
        (${step(`${name} >= ${start}::text`)})
        UNION ALL
        SELECT following.* FROM beginning, LATERAL (${step(`${name} > beginning.folded`)}) following)
      (SELECT name FROM beginning LIMIT ${MAX_NAMES})
      UNION ALL
      SELECT DISTINCT u.${column} FROM users u WHERE ${name} = ANY (${bind(otherBeginnings(term, length))}::text[])`,
    values,
    prepared: false,
    searcher: caller.id,
  };
}

/** The term with each one of its first letters replaced, left out, preceded by another or exchanged with the next one. */
function otherBeginnings(term: string, length: number): string[] {
  const others: string[] = [];
  for (let at = 0; at < length; at++) {
    const [before, rest] = [term.slice(0, at), term.slice(at)];
    others.push(before + rest.slice(1), before + rest.charAt(1) + rest.charAt(0) + rest.slice(2));
    for (const letter of LETTERS)
      others.push(before + letter + rest, before + letter + rest.slice(1));
  }
  return others;
}
