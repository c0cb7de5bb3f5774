/**
 * Sorts the members of the objects in a JSON value by name, so that equal values have equal texts. It does not copy
 * sorted objects.
 */
export function inOrderOfNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const parts = value.map(inOrderOfNames);
    return parts.every((part, at) => part === value[at]) ? value : parts;
  }
  const members = Object.entries(value);
  let isCopied = false;
  for (let at = 0; at < members.length; at++) {
    const member = members[at]!;
    const part = inOrderOfNames(member[1]);
    if (part !== member[1] || (at > 0 && members[at - 1]![0] > member[0])) isCopied = true;
    member[1] = part;
  }
  if (!isCopied) return value;
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
