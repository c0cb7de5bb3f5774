import { GROUPS, ORGANIZATIONS } from './organizations.js';
import { PEOPLE, type Person } from './people.js';
import type { Audience } from './portal.js';

/** The first people have names in the guides; the others join groups in fixed steps. */
const NAMED = 4;

/** The logins of a group's members. */
export function membersOf({ members, every }: (typeof GROUPS)[number]): Set<string> {
  const others = PEOPLE.slice(NAMED).filter((_, place) => place % every === 0);
  return new Set([...members, ...others.map(({ login }) => login)]);
}

const MEMBERS = new Map(GROUPS.map((group) => [group.reference, membersOf(group)]));
const PARENTS = new Map(ORGANIZATIONS.map(([code, , parent]) => [code, parent]));

/** Whether an audience includes a person; an organization includes those below it. */
export const isMeantFor = (audience: Audience, { login, organization }: Person): boolean =>
  audience.length === 0 ||
  audience.some((code) => {
    const [kind, name = ''] = code.split(':');
    if (kind === 'user') return name === login;
    if (kind === 'group') return MEMBERS.get(name)!.has(login);
    for (let at: string | null | undefined = organization; at; at = PARENTS.get(at))
      if (at === name) return true;
    return false;
  });
