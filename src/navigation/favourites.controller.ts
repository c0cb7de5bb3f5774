import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation } from '../openapi/api-operation.decorator.js';
import { FAVOURITES, FAVOURITES_BODY } from './navigation.schemas.js';
import { validateBody, satisfies } from '../http/validate-body.js';
import { applications } from '../process/application.resource.js';
import { linkIdIn } from '../resources/attributes/link-input.js';
import type { Ref } from '../resources/ref.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { FavouritesService } from './favourites.service.js';

/** The maximum number of favourites. */
const MAX_FAVOURITES = 100;

/** The body of both routes: the applications in the person's order. */
interface Favourites {
  applications: Ref[];
}

/** Links as in every body: URIs, ids, or objects with a uri or an id; null stands for no link. */
class FavouritesBody {
  @satisfies(validateFavourites)
  applications: unknown[] | null = null;
}

/** The caller's favourites, which the workplace overview marks. */
@Controller('api/v2/directory/users/me/favourites')
export class FavouritesController {
  constructor(private readonly favourites: FavouritesService) {}

  @ApiOperation({
    operationId: 'getFavourites',
    tag: 'Users',
    summary: 'Get the favourite applications of the caller, in order',
    answer: FAVOURITES,
  })
  @Get()
  async get(@CurrentCaller() caller: Caller): Promise<Favourites> {
    return { applications: await this.favourites.list(caller) };
  }

  @ApiOperation({
    operationId: 'replaceFavourites',
    tag: 'Users',
    summary: 'Replace the favourite applications of the caller',
    body: FAVOURITES_BODY,
    answer: FAVOURITES,
  })
  @Put()
  async replace(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Body() body: unknown,
  ): Promise<Favourites> {
    const ids = idsIn(validateBody(FavouritesBody, body).applications ?? []);
    return { applications: await this.favourites.replace(caller, auditContext, ids) };
  }
}

const idsIn = (links: unknown[]): string[] =>
  links.map((link) => linkIdIn(link, [applications.ref.uri])!);

function validateFavourites(links: unknown): string | undefined {
  if (links === null) return undefined;
  if (!Array.isArray(links)) return 'must be an array of links';
  if (links.length > MAX_FAVOURITES) return `must have at most ${MAX_FAVOURITES} applications`;
  const ids = idsIn(links);
  const { uri } = applications.ref;
  if (ids.includes(undefined as never))
    return `must be links: expected an id or a URI such as ${uri}/1`;
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  return twice === undefined ? undefined : `must not name ${uri}/${twice} twice`;
}
