import { satisfies } from '../http/class-validation.js';
import { applications } from '../process/application.resource.js';
import { linkIdIn, validateLinks } from '../resources/attributes/link-input.js';

/** The maximum number of favourites. */
const MAX_FAVOURITES = 100;

/**
 * `PUT /directory/users/me/favourites`: links as in every body (docs/api-contract.md#request-bodies).
 * Null stands for no favourites.
 */
export class FavouritesDto {
  @satisfies(validateFavourites)
  applications: unknown[] | null = null;
}

/** The ids of applications that valid links name. */
export const idsIn = (links: unknown[]): string[] =>
  links.map((link) => linkIdIn(link, [applications.ref.uri])!);

function validateFavourites(links: unknown): string | undefined {
  if (links === null) return undefined;
  if (Array.isArray(links) && links.length > MAX_FAVOURITES)
    return `must have at most ${MAX_FAVOURITES} applications`;
  const { uri } = applications.ref;
  const fault = validateLinks([uri])(links);
  if (fault !== undefined) return fault;
  const ids = idsIn(links as unknown[]);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  return twice === undefined ? undefined : `must not name ${uri}/${twice} twice`;
}
