import { satisfies } from '../http/class-validation.js';
import { applications } from '../process/application.resource.js';
import { linkIdIn } from '../resources/attributes/link-input.js';

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

/** The ids of applications that links name; undefined for what is no link. */
export const idsIn = (links: unknown[]): string[] =>
  links.map((link) => linkIdIn(link, [applications.ref.uri])!);

function validateFavourites(links: unknown): string | undefined {
  if (links === null) return undefined;
  if (!Array.isArray(links)) return 'must be an array of links';
  if (links.length > MAX_FAVOURITES) return `must have at most ${MAX_FAVOURITES} applications`;
  const ids = idsIn(links);
  const { uri } = applications.ref;
  if (ids.includes(undefined as never)) return `must be ids or URIs such as ${uri}/1`;
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  return twice === undefined ? undefined : `must not name ${uri}/${twice} twice`;
}
