import type { Reader } from '../../database/database.js';
import { EVERYONE } from '../../directory/audience-condition.js';
import { applications } from '../../process/applications/application.resource.js';
import { Slots } from '../../process/tiles/count-tasks.js';
import { CountedCondition } from '../../process/tiles/counted-condition.js';
import { NOW } from '../../process/tasks/moment-filter.js';
import {
  dependsOnTasksAlone,
  type StoredFilters,
  type StoredView,
  UnreadableView,
} from '../../process/tiles/parse-view.js';
import { OPEN } from '../../process/tasks/task.resource.js';
import { uriOf } from '../../resources/uri.js';
import { Rights } from '../../base/rights/rights.js';
import { JOIN_VIEW, VIEW, viewIn } from '../tile-sql.js';
import type { Counters } from './counters.js';
import type { Person } from './person.js';

/** The slot of an application that has nothing to count: without a view, or with an unreadable one. */
const NO_VIEW = -1;
const UNREADABLE = -2;

/** The filters of the tasks that wait for a person, and of those that are overdue (docs/decisions/0028). */
const IS_OPEN = `status:eq:${OPEN}`;
const WAITING = [IS_OPEN];
const OVERDUE = [IS_OPEN, `dueDate:lt:${NOW}`];

/** An active application. */
interface Tile {
  uri: string;
  /** Ids of the principals in its audience; undefined for all users. */
  audience: string[] | undefined;
  view: StoredView | undefined;
  /** Its slot by the shape of the rights. */
  slots: ReadonlyMap<string, number>;
}

/** All active applications and their views: which numbers to count, each in a slot, and who sees them. */
export class Catalogue {
  readonly slots = new Slots();
  private readonly waiting: number;
  private readonly overdue: number;
  /** Whether a view depends on objects other than tasks. */
  readonly isLinked: boolean;
  /** Whether a view's conditions differ between people. */
  readonly isPersonal: boolean;
  private readonly listsOfTiles = new Map<string, Tile[]>();
  private readonly uris = new Map<Tile[], string[]>();

  /** @param rights those of the people whose numbers it counts, by their shape */
  private constructor(
    private readonly tiles: Tile[],
    private readonly text: string,
    private readonly rights: ReadonlyMap<string, Rights>,
  ) {
    const slotOf = (filters: string[]): number =>
      this.slotOf({ filters, filterMode: 'and', sorter: null }, Rights.none, null);
    [this.waiting, this.overdue] = [slotOf(WAITING), slotOf(OVERDUE)];
    for (const tile of tiles)
      tile.slots = new Map(
        [...rights].map(([shape, one]) => [shape, this.slotOfView(tile.view, one)]),
      );
    this.isLinked = tiles.some(({ view }) => view && !dependsOnTasksAlone(view));
    this.isPersonal = this.slots.conditions.some(({ condition }) => !condition.isShared);
  }

  /** Reads it in one statement. Returns the former object when nothing has changed. */
  static async read(reader: Reader, former: Catalogue | undefined): Promise<Catalogue> {
    const rows = await reader.rows({
      text: `SELECT a.id, a.audience::text, ${VIEW} FROM applications a ${JOIN_VIEW} WHERE a.active ORDER BY a.id`,
      values: [],
    });
    const text = JSON.stringify(rows);
    if (former?.text === text) return former;
    const tiles = rows.map(([id, audience, ...view]) => ({
      uri: uriOf(applications.ref.uri, id),
      audience: audience === EVERYONE ? undefined : String(audience).slice(1, -1).split(','),
      view: viewIn(view),
      slots: new Map(),
    }));
    return new Catalogue(
      tiles,
      text,
      former?.rights ?? new Map([[Rights.none.shape, Rights.none]]),
    );
  }

  /** One that also counts for people with these rights; the same object where it does so already. */
  serving(people: Iterable<Person>): Catalogue {
    const unknown = [...people].filter(({ rights }) => !this.rights.has(rights.shape));
    if (unknown.length === 0) return this;
    const more = unknown.map(({ rights }) => [rights.shape, rights] as const);
    return new Catalogue(this.tiles, this.text, new Map([...this.rights, ...more]));
  }

  /**
   * The numbers of a person: the tally of the person plus those of the groups.
   * @param uncounted the slots that cannot be counted
   */
  countersOf(person: Person, uncounted: ReadonlySet<number>): Counters {
    const tiles = this.tilesOf(person);
    const tallies = [person.tally, ...person.groups.map(({ tally }) => tally)];
    const count = (slot: number): number =>
      tallies.reduce((sum, tally) => sum + (tally.get(slot) ?? 0), 0);
    const counts = tiles.map(({ slots }) => {
      const slot = slots.get(person.rights.shape)!;
      if (slot === NO_VIEW) return 0;
      return slot === UNREADABLE || uncounted.has(slot) ? null : count(slot);
    });
    const { uris: filters, counts: matches } = person.saved;
    const [waiting, overdue] = [count(this.waiting), count(this.overdue)];
    return { tiles: this.uris.get(tiles)!, counts, waiting, overdue, filters, matches };
  }

  /**
   * The applications that a person sees, as `visibleInWorkplace` selects them. People who see the same ones share one
   * array.
   */
  private tilesOf({ principals }: Person): Tile[] {
    const ids = new Set(principals);
    const isSeen = ({ audience }: Tile) => !audience || audience.some((id) => ids.has(id));
    const seen = this.tiles.filter(isSeen);
    const key = seen.map(({ uri }) => uri).join();
    const known = this.listsOfTiles.get(key);
    if (known) return known;
    this.listsOfTiles.set(key, seen);
    this.uris.set(
      seen,
      seen.map(({ uri }) => uri),
    );
    return seen;
  }

  private slotOfView(view: StoredView | undefined, rights: Rights): number {
    if (!view) return NO_VIEW;
    try {
      return this.slotOf(view, rights, view.applicationId);
    } catch (error) {
      if (error instanceof UnreadableView) return UNREADABLE;
      throw error;
    }
  }

  private slotOf(filters: StoredFilters, rights: Rights, applicationId: string | null): number {
    const condition = new CountedCondition(filters, rights);
    return this.slots.of(condition.key, applicationId, () => condition);
  }
}
