import { presentRef, type Ref } from '../resources/ref.js';
import type { User } from './user.entity.js';
import { users } from './user.resource.js';

/** What an entity selects of a user to present a Ref. */
export const USER_REF = { id: true, login: true, title: true } as const;

/** The Ref of a user; null for one who was deleted. */
export const presentUser = (user: User | null | undefined): Ref | null =>
  user ? presentRef(users.ref, user.id, user.login, user.title) : null;
