import { Controller, Get, Param } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import { groups } from '../../directory/group.resource.js';
import { ApiOperation } from '../../openapi/api-operation.decorator.js';
import { namedSchema } from '../../openapi/component.js';
import { atLeast, count, listOf, orNull, text, texts, timestamp } from '../../openapi/schemas.js';
import { IdPipe } from '../../resources/id.pipe.js';
import { namesInPath } from '../../resources/resource.controller.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { uriOf } from '../../resources/uri.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { sources } from '../source.resource.js';
import { OPEN, tasks } from '../task.resource.js';
import { KnownNames, WantedNames } from './known-names.js';
import { linkIn } from './push-item.js';

/** Most names of a report, and tasks of a name. */
const MAX_NAMES = 1_000;
const MAX_TASKS = 20;

/** A name for which tasks wait elsewhere (docs/api-contract.md#unknown-people). */
interface UnknownName {
  name: string;
  /** The URI of the user or the group that has the name by now: the next push of the tasks gives them to it. */
  known: string | null;
  count: number;
  since: string;
  /** Some of the tasks, the oldest first. */
  tasks: { uri: string; externalId: string; title: string }[];
}

const UNKNOWN_NAME = namedSchema(
  'UnknownName',
  atLeast({
    name: text,
    known: orNull(text),
    count,
    since: timestamp,
    tasks: listOf(atLeast(texts('uri', 'externalId', 'title'))),
  }),
);

interface Found {
  name: string;
  count: number;
  since: string;
  tasks: { id: string; externalId: string; title: string }[];
}

/** Whom a source has pushed open tasks for, although the directory does not know them. */
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
    description: 'Of open tasks alone, by name. A push of a task with other names takes it off.',
    answer: listOf(UNKNOWN_NAME),
  })
  @Get(':id/unknown')
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
  ): Promise<UnknownName[]> {
    await this.reader.get(sources, caller, id);
    const found = await this.database.query<Found>({
      text: `SELECT n.name, count(*)::int, min(n.date) AS since,
          to_json((array_agg(json_build_object('id', n.id::text, 'externalId', n.external_id, 'title', n.title) ORDER BY n.id))[:${MAX_TASKS}]) AS tasks
        FROM (
          SELECT u.name, u.creation_date AS date, t.id, t.external_id, t.title
          FROM ${tasks.ref.table} t JOIN task_unknown_names u ON u.task_id = t.id
          WHERE t.source_id = $1 AND t.status = '${OPEN}'
        ) AS n GROUP BY n.name ORDER BY n.name COLLATE "C" LIMIT ${MAX_NAMES}`,
      values: [id],
    });
    const wanted = new WantedNames();
    for (const { name } of found)
      for (const kind of KINDS) wanted.add(kind, linkIn(name, [...KINDS])!);
    const known = new KnownNames();
    await known.learn(this.database, id, wanted);
    return found.map(({ name, count: waiting, since, tasks: some }) => ({
      name,
      known: uriOfName(known, name),
      count: waiting,
      since: new Date(since).toISOString(),
      tasks: some.map(({ id: task, externalId, title }) => ({
        uri: uriOf(tasks.ref.uri, task),
        externalId,
        title,
      })),
    }));
  }
}

/** What an unknown name can be. */
const KINDS = ['users', 'groups'] as const;

function uriOfName(known: KnownNames, name: string): string | null {
  const link = linkIn(name, [...KINDS])!;
  const user = known.idOf('users', link);
  if (user !== undefined) return uriOf(users.ref.uri, user);
  const group = known.idOf('groups', link);
  return group === undefined ? null : uriOf(groups.ref.uri, group);
}
