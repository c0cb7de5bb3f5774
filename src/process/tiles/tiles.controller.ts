import { Body, Controller, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../../base/config/config.js';
import { Database } from '../../database/database.js';
import type { InvalidField } from '../../base/errors/api-errors.js';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { detailedSchema } from '../../resources/openapi/resource-schemas.js';
import { RequirePermissionWith } from '../../resources/http/require-permission-with.js';
import { setETag } from '../../resources/http/set-etag.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { uriOf } from '../../resources/uri.js';
import { ChangeOf } from '../../resources/http/change-of.decorator.js';
import { parseBody } from '../../resources/write/parse-body.js';
import type { Change, PendingWrite, RowChange } from '../../resources/write/pending-write.js';
import { ResourceWriter } from '../../resources/write/resource-writer.js';
import { RequirePermission, requirePermissions } from '../../security/permission.guard.js';
import { Application } from '../applications/application.entity.js';
import { applications } from '../applications/application.resource.js';
import { applicationHooks } from '../applications/applications.controller.js';
import { changeTile } from './change-tile.js';
import { ChangedTileDto, TileDto } from './tile.dto.js';
import { rename, toFieldOfApplication, toFieldOfView } from './tile-faults.js';
import { views } from './view.resource.js';
import { viewHooks } from './views.controller.js';
import { namesInPath } from '../../resources/http/resource.controller.js';
import { reason } from '../../base/errors/reason.js';

/** Stands for the id of an application that is not stored yet. */
const ANY_ID = '1';

/** Writes an application together with its view (docs/api-contract.md#tiles-with-a-view). */
@Controller('api/v2/process/tiles')
@namesInPath({ id: applications })
export class TilesController {
  constructor(
    readonly reader: ResourceReader,
    private readonly writer: ResourceWriter,
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  @ApiOperation({
    operationId: 'createTile',
    tag: 'Applications',
    summary: 'Create an application and the view that its tile opens, both or neither',
    answer: detailedSchema(applications),
    hasETag: true,
    hasLocation: true,
  })
  @Post()
  @RequirePermission('applications:create')
  async create(
    @ChangeOf(applications) change: Change,
    @Body(FixedBodyPipe) { application, view }: TileDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>> {
    requirePermissions(change.caller, ['views:create']);
    const hooks = {
      beforeWrite: async (write: PendingWrite) => [
        ...(await applicationHooks.beforeWrite(write)),
        ...(await faultsOfView(write, view)),
      ],
      afterWrite: (write: PendingWrite, id: string) => this.addView(write, id, view),
    };
    const { representation, revision } = await this.writer
      .create(change, hooks, application)
      .catch((error: unknown) => rename(error, toFieldOfApplication));
    const uri = uriOf(applications.ref.uri, representation.id);
    response.setHeader('Location', `${this.config.env.BASE_PATH}/api/v2${uri}`);
    setETag(response, revision);
    return representation;
  }

  @ApiOperation({
    operationId: 'replaceTile',
    tag: 'Applications',
    summary: 'Replace an application, and create or replace the view that its tile opens',
    description:
      'A view with an id is replaced, one without is created. Both objects are stored, or neither. If-Match names the ETag of the application, viewETag that of the view.',
    answer: detailedSchema(applications),
    hasETag: true,
    isConditional: true,
  })
  @Put(':id')
  @RequirePermissionWith(applications, 'applications:change')
  async replace(
    @ChangeOf(applications) change: RowChange,
    @Body(FixedBodyPipe) body: ChangedTileDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>> {
    const { representation, revision } = await changeTile(
      { database: this.database, writer: this.writer },
      change,
      body,
    );
    setETag(response, revision);
    return representation;
  }

  /** Creates the view of an application that is about to be stored, and makes the tile open it. */
  private async addView(write: PendingWrite, id: string, view: object): Promise<void> {
    const { change, transaction } = write;
    const body = { ...view, application: uriOf(applications.ref.uri, id) };
    const stored = await this.writer
      .createWithin(write, { ...change, resource: views }, viewHooks, body)
      .catch((error: unknown) => rename(error, toFieldOfView));
    const viewId = String(stored.representation.id);
    await transaction.of(Application).update(id, { viewId });
  }
}

/** What is wrong with the view, known before its application has an id, so that one answer names all faults. */
async function faultsOfView(
  write: PendingWrite,
  view: Record<string, unknown>,
): Promise<InvalidField[]> {
  if (view.application !== undefined && view.application !== null)
    return [{ name: 'view.application', reason: reason('new-application') }];
  const change = { ...write.change, resource: views };
  const body = { ...view, application: uriOf(applications.ref.uri, ANY_ID) };
  const parsed = { ...write, ...parseBody(views, body), change };
  const faults = [...parsed.faults, ...(await viewHooks.beforeWrite(parsed))];
  return faults.map(toFieldOfView);
}
