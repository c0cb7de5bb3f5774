import { Bindings, type Bind } from '../../database/bindings.js';
import { filterCondition } from '../../resources/list/conditions.js';
import { type Filter, parseFilter, searchesTexts } from '../../resources/list/filters.js';
import type { Role } from '../../resources/visibility.js';
import { callerFilter } from '../tasks/caller-filter.js';
import { demandOf, parseView, type ParsedView, type StoredFilters } from './parse-view.js';
import { tasks } from '../tasks/task.resource.js';

/** SQL of the person who is counted for, and of the array of their groups. */
export const PERSON = 'p.id';
export const GROUPS = 'p.groups';

/** What a task has to do with the person who is counted for. */
export interface Relation {
  /** Whether it is assigned to the person. */
  isMine: boolean;
  /** Whether it waits for a group of the person. */
  isOurs: boolean;
}

/** Tasks of a group, but for those that are assigned to the member who is counted for. */
export const OF_GROUP: Relation = { isMine: false, isOurs: true };
/** Tasks of a person that wait for none of the person's groups, and those that do. */
export const OF_PERSON: Relation = { isMine: true, isOurs: false };
export const OF_BOTH: Relation = { isMine: true, isOurs: true };
/** Tasks that the person may take, alone or with a group, or has in substitution, and that are neither. */
export const OF_CANDIDATE: Relation = { isMine: false, isOurs: false };

/** Stands for the person in filters that are only parsed. */
const NOBODY = '0';

/** A condition that tasks are counted by, for the people of a role: the filters of a view, or of the inbox. */
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
    private readonly role: Role,
    private readonly only?: string,
  ) {
    const viewer = { ...role, id: NOBODY };
    this.parsed = parseView({ filters, ...stored }, viewer);
    this.isDemanding = demandOf({ filters }) > 0;
    this.isOfCaller = filters.map(
      (text) => typeof callerFilter(parseFilter(text), tasks, viewer) === 'object',
    );
    const others = this.parsed.filters.filter((_, at) => !this.isOfCaller[at]);
    this.others = { ...this.parsed, filters: others };
  }

  /** The status that its tasks have, where all have the same: it is in the index. */
  get status(): string | undefined {
    if (this.only !== undefined || this.parsed.filterMode === 'or') return this.only;
    const demanded = this.parsed.filters.find(
      ({ attribute, operator }) => attribute.name === 'status' && operator === 'eq',
    );
    return typeof demanded?.value === 'string' ? demanded.value : undefined;
  }

  /**
   * Whether it is the same for everybody, but for `@me` and `@mygroups`, which are known of the tasks of a relation: a
   * group is then counted once for all its members.
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

  /** Equal where shared conditions are. */
  get key(): string {
    const of = this.isShared ? [OF_PERSON, OF_BOTH, OF_GROUP, OF_CANDIDATE] : [PERSON];
    const texts = of.map((one) => {
      const { bind, values } = new Bindings();
      return [this.sql(bind, one), values];
    });
    return JSON.stringify([this.status, texts]);
  }

  /** @param of the relation of the tasks to the person; SQL of the person where it is any */
  sql(bind: Bind, of: Relation | string): string {
    if (typeof of === 'string') return this.sqlOf(this.parsed, this.isOfCaller, bind, () => of);
    const holds = this.parsed.filters
      .filter((_, at) => this.isOfCaller[at])
      .map((filter) => isTrue(filter, of));
    // One that holds decides an "or", one that does not an "and"; the others change nothing.
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
    return filterCondition(parsed, { ...this.role, idSql }, value);
  }
}

/** Whether `@me` or `@mygroups` fits the tasks of a relation. */
function isTrue({ attribute, operator }: Filter, { isMine, isOurs }: Relation): boolean {
  const fits = attribute.name === 'assignee' ? isMine : isOurs;
  return operator === 'eq' ? fits : !fits;
}
