import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Change } from '../../journal/change.js';
import { type ChangeSubscriber, ReadBarrier } from '../../journal/read-barrier.js';
import { groupsOf } from '../../process/access/task-visibility.js';
import { absenteesOf } from '../../process/access/substitution.js';
import { Catalogue } from './catalogue.js';
import { FilterCounts } from './filter-counts.js';
import { OpenStreams } from './open-streams.js';
import { forget, isClockDue } from './personal-filters.js';
import { Group, type Person, type Principal } from './person.js';
import { Tallies } from './tallies.js';

/**
 * The effect of a change beyond the people whom it names: on all numbers, on those of tasks, or on those of saved
 * filters that read linked objects.
 */
type Effect = 'everybody' | 'tallies' | 'filters';

/**
 * Learns from the journal whose numbers a change affects, counts those again, and sends the differences
 * (docs/decisions/0035). A person stays marked until the count has succeeded.
 */
@Injectable()
export class CounterUpdater implements ChangeSubscriber {
  private readonly logger = new Logger('LiveCounters');
  private readonly groups = new Map<string, Group>();
  /** The substitutes of each person, by the person's id. */
  private readonly substitutes = new Map<string, Set<Person>>();
  private readonly affected = new Set<Person>();
  private catalogue: Catalogue | undefined;
  private isCatalogueStale = true;
  private isRunning = false;
  private hasFailed = false;
  /** Messages with numbers, since the start. */
  messages = 0;

  constructor(
    private readonly database: Database,
    private readonly barrier: ReadBarrier,
    private readonly streams: OpenStreams,
    private readonly tallies: Tallies,
    private readonly filterCounts: FilterCounts,
  ) {
    barrier.subscribe(this);
    streams.whenLeft((person) => {
      this.affected.delete(person);
      this.leaveGroups(person);
      this.standInFor(person, []);
    });
  }

  /** Sends a person the current numbers in the next round. */
  affect(person: Person): void {
    this.affected.add(person);
  }

  reset(): void {
    this.isCatalogueStale = true;
    this.forgetEverybody();
  }

  changed(changes: Change[]): void {
    const effects = new Set(changes.map((change) => this.apply(change)));
    // One pass for all changes, because an import makes thousands.
    if (effects.has('everybody')) this.forgetEverybody();
    else if (effects.has('tallies')) this.forgetTallies();
    else if (effects.has('filters')) this.forgetFilterCounts(({ saved }) => saved.areLinked);
  }

  /** Runs a round: counts stale numbers, and sends. It does nothing while another round is under way. */
  async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      await this.count();
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.logger.warn(`counters wait: ${String(error)}`);
      this.hasFailed = true;
    } finally {
      this.isRunning = false;
    }
  }

  /** Marks the people whom a change names, and returns its effect on others. */
  private apply({ kind, object, principals }: Change): Effect | undefined {
    switch (kind) {
      case 'tasks':
        for (const id of principals) this.forgetTallyOf(id);
        return object === null ? 'tallies' : undefined;
      case 'candidates':
        for (const id of principals) this.forgetCandidate(id);
        return undefined;
      case 'absences':
        for (const id of principals) this.forgetPerson(id);
        return object === null ? 'everybody' : undefined;
      case 'users':
      case 'groups':
      case 'sources':
        for (const id of principals) this.forgetPerson(id);
        if (object === null) return 'everybody';
        return this.catalogue?.isLinked ? 'tallies' : 'filters';
      case 'organizations':
        // A change of an organization above a person names only the organization.
        return 'everybody';
      case 'categories':
      case 'applications':
      case 'views':
        this.isCatalogueStale = true;
        return 'filters';
      case 'task-filters':
        this.forgetFilters(principals);
        return undefined;
      default:
        // Favourites and content have no numbers.
        return undefined;
    }
  }

  private async count(): Promise<void> {
    const now = performance.now();
    if (this.tallies.retriesFaulty(now)) this.forgetTallies();
    this.forgetFilterCounts(({ saved }) => isClockDue(saved, now));
    const isDue = (person: Person): boolean => person.isDue(now);
    if (!this.isCatalogueStale && ![...this.affected].some(isDue)) return;
    // Without the newest changes, the affected people may be incomplete.
    if (!(await this.barrier.pass())) return;
    const catalogue = this.serveAffected(await this.renewCatalogue());
    const due = [...this.affected].filter(isDue);
    if (due.length === 0) return;
    for (const person of due) this.affected.delete(person);
    let failed: ReadonlySet<Principal> = new Set(due);
    try {
      await this.renewPrincipals(due.filter(({ arePrincipalsStale }) => arePrincipalsStale));
      const groups = new Set(due.flatMap((person) => person.groups));
      failed = await this.tallies.renew(
        catalogue,
        [...due, ...groups].filter(({ isStale }) => isStale),
      );
      for (const person of await this.filterCounts.renew(due)) this.affectIfOpen(person);
    } finally {
      for (const person of due) {
        if (failed.has(person) || person.groups.some((group) => failed.has(group)))
          this.affectIfOpen(person);
        else this.show(person, catalogue, now);
      }
    }
  }

  private show(person: Person, catalogue: Catalogue, now: number): void {
    const counters = catalogue.countersOf(person, this.tallies.uncounted);
    for (const stream of person.streams) {
      if (!stream.isDue(now)) this.affected.add(person);
      else if (stream.show(counters, now)) this.messages++;
    }
  }

  private async renewCatalogue(): Promise<Catalogue> {
    const { catalogue } = this;
    if (!this.isCatalogueStale && catalogue) return catalogue;
    this.isCatalogueStale = false;
    try {
      this.catalogue = await Catalogue.read(this.database, catalogue);
    } catch (error) {
      this.isCatalogueStale = true;
      throw error;
    }
    if (this.catalogue !== catalogue) this.tallies.forgetFaults();
    // The filters of a view can read titles of applications, which are not in the catalogue.
    if (this.catalogue !== catalogue || this.catalogue.isLinked) this.forgetTallies();
    return this.catalogue;
  }

  /** Rights that nobody had so far may make other conditions of the views, which are then counted for everybody. */
  private serveAffected(catalogue: Catalogue): Catalogue {
    const wider = catalogue.serving(this.affected);
    if (wider === catalogue) return catalogue;
    this.catalogue = wider;
    this.forgetTallies();
    return wider;
  }

  /** Reads the groups, the organizations and the absent colleagues of people in one statement. */
  private async renewPrincipals(people: Person[]): Promise<void> {
    if (people.length === 0) return;
    for (const person of people) person.arePrincipalsStale = false;
    try {
      const rows = await this.database.query<PrincipalsRow>({
        text: `SELECT u.id, ${groupsOf('u.id')}::text[] AS groups, principals(u.id)::text[] AS all, ${absenteesOf('u.id')}::text[] AS absentees
          FROM unnest($1::bigint[]) AS u(id)`,
        values: [people.map(({ id }) => id)],
      });
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const person of people) {
        const { groups = [], all = [], absentees = [] } = found.get(person.id) ?? {};
        person.principals = all;
        this.joinGroups(person, groups);
        this.standInFor(person, absentees);
      }
    } catch (error) {
      for (const person of people) person.arePrincipalsStale = true;
      throw error;
    }
  }

  private joinGroups(person: Person, ids: string[]): void {
    this.leaveGroups(person);
    // The person may have left while the statement ran.
    if (person.streams.size === 0) return;
    person.groups = ids.map((id) => {
      const group = this.groups.get(id) ?? new Group(id);
      this.groups.set(id, group);
      group.members.add(person);
      return group;
    });
  }

  private leaveGroups(person: Person): void {
    for (const group of person.groups) {
      group.members.delete(person);
      if (group.members.size === 0) this.groups.delete(group.id);
    }
    person.groups = [];
  }

  private standInFor(person: Person, absentees: string[]): void {
    for (const id of person.absentees) {
      const others = this.substitutes.get(id);
      others?.delete(person);
      if (others?.size === 0) this.substitutes.delete(id);
    }
    // The person may have left while the statement ran.
    person.absentees = person.streams.size === 0 ? [] : absentees;
    for (const id of person.absentees)
      this.substitutes.set(id, (this.substitutes.get(id) ?? new Set()).add(person));
  }

  /** A task of a user or a group has changed. */
  private forgetTallyOf(id: string): void {
    for (const person of [this.streams.people.get(id), ...(this.substitutes.get(id) ?? [])]) {
      if (!person) continue;
      person.forgetTally();
      this.affected.add(person);
    }
    const group = this.groups.get(id);
    if (!group) return;
    group.isStale = true;
    for (const member of group.members) {
      if (this.catalogue?.isPersonal) member.isStale = true;
      member.saved.areCountsStale = true;
      this.affected.add(member);
    }
  }

  /** A task of which a user or a group is a candidate has changed. The tally of a group excludes such tasks. */
  private forgetCandidate(id: string): void {
    const members = this.groups.get(id)?.members ?? [];
    for (const person of [this.streams.people.get(id), ...members]) {
      if (!person) continue;
      person.forgetTally();
      this.affected.add(person);
    }
  }

  /**
   * A saved filter of these people, which the groups also see, has changed. Without principals it affects all users.
   */
  private forgetFilters(principals: string[]): void {
    const { people } = this.streams;
    const readers =
      principals.length === 0
        ? people.values()
        : principals.flatMap((id) => [...(this.groups.get(id)?.members ?? [])]);
    const forgetThose = (some: Iterable<Person>, isAtOnce: boolean): void => {
      for (const person of some) {
        forget(person.saved, isAtOnce);
        this.affected.add(person);
      }
    };
    forgetThose(readers, false);
    forgetThose(
      principals.flatMap((id) => people.get(id) ?? []),
      true,
    );
  }

  private forgetFilterCounts(isAffected: (person: Person) => boolean): void {
    for (const person of this.streams.people.values()) {
      if (!isAffected(person)) continue;
      person.saved.areCountsStale = true;
      this.affected.add(person);
    }
  }

  private forgetPerson(id: string): void {
    const person = this.streams.people.get(id);
    if (!person) return;
    person.forgetAll();
    this.affected.add(person);
  }

  private forgetEverybody(): void {
    for (const person of this.streams.people.values()) person.forgetAll();
    this.forgetTallies();
  }

  private forgetTallies(): void {
    for (const group of this.groups.values()) group.isStale = true;
    for (const person of this.streams.people.values()) {
      person.forgetTally();
      this.affected.add(person);
    }
  }

  private affectIfOpen(person: Person): void {
    if (person.streams.size > 0) this.affected.add(person);
  }
}

/** The groups and organizations of a person, and the colleagues for whom the person stands in. */
interface PrincipalsRow {
  id: string;
  groups: string[];
  all: string[];
  absentees: string[];
}
