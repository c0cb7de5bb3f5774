/** An object with a position. */
export interface Placed {
  id: string;
  position: number;
}

/**
 * The changed positions of objects in a new order. The set of used positions stays the same, so objects outside the
 * list keep their place.
 */
export function newPositions(ordered: Placed[]): Placed[] {
  const positions = ordered.map(({ position }) => position).sort((a, b) => a - b);
  for (let at = 1; at < positions.length; at++)
    positions[at] = Math.max(positions[at]!, positions[at - 1]! + 1);
  return ordered
    .map(({ id }, at) => ({ id, position: positions[at]! }))
    .filter(({ position }, at) => position !== ordered[at]!.position);
}
