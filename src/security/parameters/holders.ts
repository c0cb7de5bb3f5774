/** Whom a server parameter can name: everybody, or those with an attribute of users. */
export const HOLDERS = ['everybody', 'administrator', 'processEngine', 'sysadmin'] as const;
type Holder = (typeof HOLDERS)[number];

/** Which of these attributes a user has. */
export type HeldBy = Record<Exclude<Holder, 'everybody'>, boolean | null>;

/** Names of people with certain rights in the value of a parameter, split into known and unknown ones. */
export function holdersIn(value: string): { known: Holder[]; unknown: string[] } {
  const names = value.split(/[\s,;]+/).filter(Boolean);
  const isKnown = (name: string): name is Holder => HOLDERS.some((holder) => holder === name);
  return { known: names.filter(isKnown), unknown: names.filter((name) => !isKnown(name)) };
}

/** Whether the value of a parameter names a user. */
export const namesHolder = (value: string, user: HeldBy): boolean =>
  holdersIn(value).known.some((holder) => holder === 'everybody' || user[holder] === true);
