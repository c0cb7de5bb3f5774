import { badFilter } from './scim-errors.js';

/** The comparisons of a filter (RFC 7644 section 3.4.2.2), beside `pr`. */
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];

export type Literal = string | number | boolean | null;

/** A filter as a tree. Names of attributes are as they were given. */
export type Filter =
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'present'; attribute: string }
  | { kind: 'compare'; attribute: string; operator: Operator; value: Literal }
  /** `emails[type eq "work"]` */
  | { kind: 'path'; attribute: string; part: Filter };

/** An attribute of a patch: `emails[type eq "work"].value`. */
export interface AttributePath {
  attribute: string;
  part?: Filter;
  below?: string;
}

/** Longest filter in characters, most comparisons, and deepest nesting. */
const MAX_LENGTH = 4_000;
const MAX_COMPARISONS = 100;
const MAX_DEPTH = 20;

const TOKEN =
  /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.:]))|((?:urn:[\w.:-]+:)?[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)*)|(\.[A-Za-z$][\w$-]*))/y;

/**
 * Parses a filter.
 * @throws ApiError 400 invalidFilter
 */
export function parseFilter(text: string): Filter {
  const parser = new Parser(text);
  const filter = parser.or(0);
  parser.end();
  return filter;
}

/**
 * Parses the path of a patch.
 * @throws ApiError 400 invalidFilter
 */
export function parsePath(text: string): AttributePath {
  const parser = new Parser(text);
  const path = parser.path();
  parser.end();
  return path;
}

class Parser {
  private readonly tokens: string[] = [];
  private at = 0;
  private comparisons = 0;

  constructor(text: string) {
    if (text.length > MAX_LENGTH) throw badFilter(`it has more than ${MAX_LENGTH} characters`);
    TOKEN.lastIndex = 0;
    const trimmed = text.trimEnd();
    while (TOKEN.lastIndex < trimmed.length) {
      const start = TOKEN.lastIndex;
      const found = TOKEN.exec(trimmed);
      if (!found) throw badFilter(`unexpected text at character ${start + 1}`);
      this.tokens.push(found[0].trim());
    }
  }

  private get next(): string {
    return this.tokens[this.at] ?? '';
  }

  private is(word: string): boolean {
    return this.next.toLowerCase() === word;
  }

  private take(word: string): boolean {
    const isNext = this.is(word);
    if (isNext) this.at++;
    return isNext;
  }

  private expect(word: string): void {
    if (!this.take(word)) throw badFilter(`'${word}' is missing`);
  }

  end(): void {
    if (this.at < this.tokens.length) throw badFilter(`'${this.next}' is too much`);
  }

  or(depth: number): Filter {
    if (depth > MAX_DEPTH) throw badFilter(`it is nested deeper than ${MAX_DEPTH}`);
    const parts = [this.and(depth)];
    while (this.take('or')) parts.push(this.and(depth));
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
  }

  private and(depth: number): Filter {
    const parts = [this.term(depth)];
    while (this.take('and')) parts.push(this.term(depth));
    return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
  }

  private term(depth: number): Filter {
    if (this.take('not')) {
      this.expect('(');
      const part = this.or(depth + 1);
      this.expect(')');
      return { kind: 'not', part };
    }
    if (this.take('(')) {
      const part = this.or(depth + 1);
      this.expect(')');
      return part;
    }
    const { attribute, part, below } = this.path(depth);
    if (!part) return this.comparison(attribute);
    if (below === undefined) return { kind: 'path', attribute, part };
    // Entra ID: `emails[type eq "work"].value eq "…"`
    const parts = [part, this.comparison(below)];
    return { kind: 'path', attribute, part: { kind: 'and', parts } };
  }

  /** An attribute, a value path, or a sub-attribute of one. */
  path(depth = 0): AttributePath {
    const attribute = this.next;
    if (!/^[A-Za-z$]/.test(attribute)) throw badFilter('the name of an attribute is missing');
    this.at++;
    if (!this.take('[')) return { attribute };
    const part = this.or(depth + 1);
    this.expect(']');
    if (!this.next.startsWith('.')) return { attribute, part };
    const below = this.next.slice(1);
    this.at++;
    return { attribute, part, below };
  }

  private comparison(attribute: string): Filter {
    if (++this.comparisons > MAX_COMPARISONS)
      throw badFilter(`it has more than ${MAX_COMPARISONS} comparisons`);
    if (this.take('pr')) return { kind: 'present', attribute };
    const operator = OPERATORS.find((one) => this.is(one));
    if (!operator) throw badFilter(`'${this.next}' is no operator`);
    this.at++;
    const text = this.next;
    this.at++;
    return { kind: 'compare', attribute, operator, value: literalOf(text) };
  }
}

function literalOf(text: string): Literal {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  if (!/^["\d-]/.test(text)) throw badFilter(`'${text}' is no value`);
  try {
    return JSON.parse(text) as string | number;
  } catch {
    throw badFilter(`${text} is no value`);
  }
}
