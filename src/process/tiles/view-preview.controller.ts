import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Rights } from '../../base/rights/rights.js';
import { Database } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import {
  invalid,
  invalidField,
  missingPermission,
  notFound,
} from '../../base/errors/api-errors.js';
import { queryOf, requiredParameter } from '../../http/query-string.js';
import { KnownParameters, RepeatableParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../../resources/openapi/parameters.js';
import { count, atLeast, listOf, text } from '../../resources/openapi/schemas.js';
import { MAX_FILTERS } from '../../resources/list/filters.js';
import type { Resource } from '../../resources/resource.js';
import { idIn } from '../../resources/uri.js';
import { type Caller, CurrentCaller, type Viewer } from '../../security/caller.js';
import { RequirePermission } from '../../security/permission.guard.js';
import { applications } from '../applications/application.resource.js';
import { countView } from './count-view.js';
import { type StoredView, validateView } from './parse-view.js';
import { reason } from '../../base/errors/reason.js';

/**
 * Counts what a view would show to a person before the view is stored: the counter of a tile that an
 * administrator sets up (docs/api-contract.md#tasks-and-views).
 */
@Controller('api/v2/process/views/preview')
@RequirePermission('workplaces:read')
export class ViewPreviewController {
  constructor(private readonly database: Database) {}

  @ApiOperation({
    operationId: 'previewView',
    tag: 'Views',
    summary: 'Count the tasks that a view would show to a person',
    parameters: [
      queryParameter('user', 'URI or id of the person', {
        required: true,
        example: '/directory/users/24',
      }),
      queryParameter('application', 'URI or id of the application', {
        required: true,
        example: '/navigation/applications/3',
      }),
      queryParameter('filters', 'a filter of the view; repeat the parameter for several', {
        schema: listOf(text),
      }),
      queryParameter('filterMode', 'whether all filters must match, or at least one', {
        schema: { enum: ['and', 'or'], default: 'and' },
      }),
    ],
    answer: atLeast({ count }),
    errors: [404],
  })
  @Get()
  @KnownParameters('user', 'application', 'filters', 'filterMode')
  @RepeatableParameters('filters')
  async preview(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
  ): Promise<{ count: number }> {
    const userId = idOf(request, 'user', users);
    const view: StoredView = {
      applicationId: idOf(request, 'application', applications),
      filters: filtersOf(request),
      filterMode: filterModeOf(request),
      sorter: null,
    };
    // The count of a filter tells what is in tasks.
    if (view.filters.length > 0 && !caller.rights.permits('tasks:read'))
      throw missingPermission('tasks:read');
    const faults = validateView({ ...view, columns: [] }, caller);
    if (faults.length > 0) throw invalid(faults);
    const viewer = await this.viewer(userId, view.applicationId);
    return { count: await countView(this.database, view, viewer, caller.id) };
  }

  /** @throws ApiError 404 when the person or the application does not exist */
  private async viewer(userId: string, applicationId: string): Promise<Viewer> {
    const [row] = await this.database.query<{ id: string; rights: string }>({
      text: `SELECT u.id, u.rights::text
        FROM users u, applications a WHERE u.id = $1 AND a.id = $2`,
      values: [userId, applicationId],
    });
    if (!row) throw notFound();
    return { id: row.id, rights: Rights.of(row.rights) };
  }
}

/** @throws ApiError 400 for more filters than a view may have */
function filtersOf(request: Request): string[] {
  const filters = queryOf(request).get('filters') ?? [];
  if (filters.length > MAX_FILTERS)
    throw invalidField('filters', reason('too-many-filters', { max: MAX_FILTERS }));
  return filters;
}

/** @throws ApiError 400 naming the parameter */
function idOf(request: Request, name: string, { ref: { uri } }: Resource): string {
  const id = idIn(requiredParameter(request, name), uri);
  if (id === undefined) throw invalidField(name, reason('not-a-link', { uris: `${uri}/1` }));
  return id;
}

/** @throws ApiError 400 */
function filterModeOf(request: Request): StoredView['filterMode'] {
  const [mode = 'and'] = queryOf(request).get('filterMode') ?? [];
  if (mode !== 'and' && mode !== 'or')
    throw invalidField('filterMode', reason('not-one-of', { choices: ['and', 'or'] }));
  return mode;
}
