import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Bindings } from '../../database/bindings.js';
import { Database } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import { groups } from '../../directory/group.resource.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import {
  atLeast,
  count,
  flag,
  listOf,
  orNull,
  REF,
  text,
  texts,
  timestamp,
} from '../../resources/openapi/schemas.js';
import { IdPipe } from '../../resources/http/id.pipe.js';
import type { Range } from '../../resources/list/range.js';
import { answerWhole, PageRange } from '../../resources/http/whole-list.js';
import { presentRef, type Ref } from '../../resources/ref.js';
import { namesInPath } from '../../resources/http/resource.controller.js';
import { LISTED } from '../../resources/resource.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { sqlViewer } from '../../resources/visibility.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { sources } from '../tasks/source.resource.js';
import { OPEN, tasks } from '../tasks/task.resource.js';
import { KnownNames, WantedNames } from './known-names.js';
import { linkIn } from './push-item.js';
import { SOURCE_HAS_APPLICATION } from './store-items.js';

/** Most names of a report, and tasks of a name. */
const MAX_NAMES = 1_000;
const MAX_TASKS = 20;

/** An unknown name whose tasks wait in the fallback group (docs/api-contract.md#unknown-people). */
interface UnknownName {
  name: string;
  /** The user or group that has the name by now, and gets the tasks with the next push. */
  known: Ref | null;
  /** Whether the name belongs to a user who cannot sign in. */
  inactive: boolean;
  count: number;
  oldestWaitingDate: string;
  /** Some of the tasks that the caller sees, the oldest first. */
  tasks: (Ref & { externalId: string })[];
}

const UNKNOWN_NAME = namedSchema(
  'UnknownName',
  atLeast({
    name: text,
    known: orNull(REF),
    inactive: flag,
    count,
    oldestWaitingDate: timestamp,
    tasks: listOf(atLeast(texts('id', 'uri', 'reference', 'label', 'externalId'))),
  }),
);

interface Found {
  name: string;
  count: number;
  oldestWaitingDate: string;
  tasks: { id: string; reference: string; title: string; externalId: string }[];
}

/** The names in open tasks of a source that the directory does not know. */
@Controller('api/v2/process/sources')
@namesInPath({ id: sources })
export class UnknownNamesController {
  constructor(
    readonly reader: ResourceReader,
    private readonly database: Database,
  ) {}

  @ApiOperation({
    operationId: 'listUnknownNames',
    tag: 'Sources',
    summary: 'List the people and groups of a source whom the directory does not know',
    description:
      'Of open tasks alone, by name, in the applications of the source. A push of a task with other names takes it off.',
    answer: listOf(UNKNOWN_NAME),
    isPaged: true,
  })
  @Get(':id/unknown')
  @AnyParameters()
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
    @PageRange() range: Range,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UnknownName[]> {
    await this.reader.get(sources, caller, id);
    return answerWhole(await this.unknownNames(caller, id), range, response);
  }

  private async unknownNames(caller: Caller, id: string): Promise<UnknownName[]> {
    const { bind, values } = new Bindings();
    const seen = tasks.conditionsForOne(sqlViewer(caller, bind)).map((one) => `AND (${one})`);
    const found = await this.database.query<Found>({
      text: `SELECT n.name, count(*)::int, min(n.date) AS "oldestWaitingDate",
          coalesce(to_json((array_agg(json_build_object('id', n.id::text, 'reference', n.reference, 'title', n.title, 'externalId', n.external_id) ORDER BY n.id) FILTER (WHERE n.seen))[:${MAX_TASKS}]), '[]') AS tasks
        FROM (
          SELECT u.name, u.creation_date AS date, t.id, t.reference, t.external_id, t.title, true ${seen.join(' ')} AS seen
          FROM ${tasks.ref.table} ${LISTED} JOIN task_unknown_names u ON u.task_id = t.id
          WHERE t.source_id = ${bind(id)}::bigint AND t.status = '${OPEN}' AND ${SOURCE_HAS_APPLICATION}
        ) AS n GROUP BY n.name ORDER BY n.name COLLATE "C" LIMIT ${MAX_NAMES}`,
      values,
    });
    const wanted = new WantedNames();
    for (const { name } of found)
      for (const kind of KINDS) wanted.add(kind, linkIn(name, [...KINDS])!);
    const known = new KnownNames();
    await known.learn(this.database, id, wanted);
    const refs = await this.refsOf(found.flatMap(({ name }) => placeOf(known, name) ?? []));
    return found.map(({ name, count: waiting, oldestWaitingDate, tasks: some }) => ({
      name,
      known: refs.get(placeOf(known, name)?.id) ?? null,
      inactive: known.isInactive(linkIn(name, [...KINDS])!),
      count: waiting,
      oldestWaitingDate: new Date(oldestWaitingDate).toISOString(),
      tasks: some.map(({ id: task, reference, title, externalId }) => ({
        ...presentRef(tasks.ref, task, reference, title),
        externalId,
      })),
    }));
  }

  /** The Refs of users and groups, by their ids, which differ. */
  private async refsOf(places: Place[]): Promise<Map<string | undefined, Ref>> {
    const refs = new Map<string | undefined, Ref>();
    for (const { ref, name } of [users, groups]) {
      const ids = places.filter(({ kind }) => kind === name).map(({ id }) => id);
      const rows = await this.database.rows({
        text: `SELECT id, ${ref.referenceColumn}, ${ref.labelColumn} FROM ${ref.table} WHERE id = ANY ($1::bigint[])`,
        values: [ids],
      });
      for (const [id, reference, label] of rows)
        refs.set(String(id), presentRef(ref, id, reference, label));
    }
    return refs;
  }
}

/** The kinds of unknown names. */
const KINDS = ['users', 'groups'] as const;

/** Who has a name. */
interface Place {
  kind: (typeof KINDS)[number];
  id: string;
}

function placeOf(known: KnownNames, name: string): Place | undefined {
  const link = linkIn(name, [...KINDS])!;
  const places = KINDS.map((kind) => ({ kind, id: known.idOf(kind, link) }));
  return places.find((place): place is Place => place.id !== undefined);
}
