import { IsOptional } from 'class-validator';
import { faultsOfItems, satisfies } from '../base/validation/class-validation.js';
import { applications } from '../process/applications/application.resource.js';
import { faultOfNamedLink, linkSchema } from '../resources/attributes/link-input.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** The maximum number of favourites that a person sees. */
export const MAX_FAVOURITES = 100;

/**
 * `PUT /directory/users/me/favourites`: links as in every body (docs/api-contract.md#request-bodies).
 * Null stands for no favourites.
 */
export class FavouritesDto {
  @IsOptional()
  @satisfies(validateFavourites, {
    type: 'array',
    items: linkSchema(['applications']),
    maxItems: MAX_FAVOURITES,
  })
  applications: unknown[] | null = null;
}

function validateFavourites(links: unknown): Reason | Reason[] | undefined {
  if (!Array.isArray(links)) return reason('not-an-array', { noun: 'links' });
  if (links.length > MAX_FAVOURITES)
    return reason('too-many-applications', { max: MAX_FAVOURITES });
  return faultsOfItems(links, faultOfNamedLink(applications.ref.uri));
}
