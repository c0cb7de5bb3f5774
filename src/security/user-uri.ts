import { USERS_URI } from '../http/route-facts.js';

/** The URI of a user, e.g. `/directory/users/7`. */
export const userUri = (id: string): string => `${USERS_URI}/${id}`;
