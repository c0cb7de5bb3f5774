import type { Rights } from '../../base/rights/rights.js';
import { Bindings, type Bind } from '../../database/bindings.js';
import { filterCondition } from '../../resources/list/conditions.js';
import { type Filter, parseFilter, searchesTexts } from '../../resources/list/filters.js';
import { callerFilter } from '../tasks/caller-filter.js';
import { demandOf, parseView, type ParsedView, type StoredFilters } from './parse-view.js';
import { tasks } from '../tasks/task.resource.js';

/** SQL of the person for whom the statement counts, and of the array of the person's groups. */
export const PERSON = 'p.id';
export const GROUPS = 'p.groups';

/** The relation of a task to the person for whom the statement counts. */
export interface Relation {
  /** Whether it is assigned to the person. */
  isMine: boolean;
  /** Whether it waits for a group of the person. */
  isOurs: boolean;
}

/** Tasks of a group that are not assigned to the person. */
export const OF_GROUP: Relation = { isMine: false, isOurs: true };
/** Tasks assigned to the person: those outside the person's groups, and those inside one. */
export const OF_PERSON: Relation = { isMine: true, isOurs: false };
export const OF_BOTH: Relation = { isMine: true, isOurs: true };
/** Other tasks that the person sees as a candidate or a substitute. */
export const OF_CANDIDATE: Relation = { isMine: false, isOurs: false };

/** The id of no user, for filters that are only parsed. */
const NO_USER = '0';

/** The condition of a count for users with equal rights: the filters of a view or of the inbox. */
export class CountedCondition {
  /** Whether it reads linked objects, or searches inside texts. */
  readonly isDemanding: boolean;
  private readonly parsed: ParsedView;
  /** Which of the filters name the person, or the person's groups. */
  private readonly isOfCaller: boolean[];
  private readonly others: ParsedView;

  /**
   * @param only the status of the tasks that are counted; by default that which the filters demand
   * @throws UnreadableView
   */
  constructor(
    { filters, ...stored }: StoredFilters,
    private readonly rights: Rights,
    private readonly only?: string,
  ) {
    const viewer = { rights, id: NO_USER };
    this.parsed = parseView({ filters, ...stored }, viewer);
    this.isDemanding = demandOf({ filters }) > 0;
    this.isOfCaller = filters.map(
      (text) => typeof callerFilter(parseFilter(text), tasks, viewer) === 'object',
    );
    const others = this.parsed.filters.filter((_, at) => !this.isOfCaller[at]);
    this.others = { ...this.parsed, filters: others };
  }

  /** The one status of all matching tasks, if the filters demand one. The index contains the status. */
  get status(): string | undefined {
    if (this.only !== undefined || this.parsed.filterMode === 'or') return this.only;
    const demanded = this.parsed.filters.find(
      ({ attribute, operator }) => attribute.name === 'status' && operator === 'eq',
    );
    return typeof demanded?.value === 'string' ? demanded.value : undefined;
  }

  /**
   * Whether the condition is the same for all users apart from `@me` and `@mygroups`, whose truth follows from the
   * relation. One count of a group then serves all its members.
   */
  get isShared(): boolean {
    let isPersonal = false;
    this.sqlOf(this.others, [], new Bindings().bind, () => {
      isPersonal = true;
      return PERSON;
    });
    return !isPersonal;
  }

  /** Whether the best plan depends on a text that is searched. */
  get searchesTexts(): boolean {
    return searchesTexts(this.parsed.filters);
  }

  /** Equal for equal conditions. */
  get key(): string {
    const of = this.isShared ? [OF_PERSON, OF_BOTH, OF_GROUP, OF_CANDIDATE] : [PERSON];
    const texts = of.map((one) => {
      const { bind, values } = new Bindings();
      return [this.sql(bind, one), values];
    });
    return JSON.stringify([this.status, texts]);
  }

  /** @param of the relation of the tasks to the person, or SQL of the person for tasks of any relation */
  sql(bind: Bind, of: Relation | string): string {
    if (typeof of === 'string') return this.sqlOf(this.parsed, this.isOfCaller, bind, () => of);
    const holds = this.parsed.filters
      .filter((_, at) => this.isOfCaller[at])
      .map((filter) => isTrue(filter, of));
    // A true filter decides an OR and a false one an AND; any other known filter can be dropped.
    const decides = this.parsed.filterMode === 'or';
    if (holds.includes(decides)) return String(decides);
    if (this.others.filters.length === 0 && holds.length > 0) return String(!decides);
    return this.sqlOf(this.others, [], bind, () => PERSON);
  }

  private sqlOf(
    parsed: ParsedView,
    isPlaceholder: boolean[],
    bind: Bind,
    idSql: () => string,
  ): string {
    const value = ({ value }: Filter, at: number): string => {
      if (isPlaceholder[at]) return idSql();
      return value === undefined ? '' : bind(value);
    };
    return filterCondition(parsed, { rights: this.rights, idSql }, value);
  }
}

/** Whether `@me` or `@mygroups` fits the tasks of a relation. */
function isTrue({ attribute, operator }: Filter, { isMine, isOurs }: Relation): boolean {
  const fits = attribute.name === 'assignee' ? isMine : isOurs;
  return operator === 'eq' ? fits : !fits;
}
