/** Something that stands at a position. */
export interface Placed {
  id: string;
  position: number;
}

/**
 * The new positions of things in a new order, of those alone whose position changes: the positions
 * that they had stay in use, so that what stands elsewhere among them keeps its place.
 */
export function newPositions(ordered: Placed[]): Placed[] {
  const positions = ordered.map(({ position }) => position).sort((a, b) => a - b);
  for (let at = 1; at < positions.length; at++)
    positions[at] = Math.max(positions[at]!, positions[at - 1]! + 1);
  return ordered
    .map(({ id }, at) => ({ id, position: positions[at]! }))
    .filter(({ position }, at) => position !== ordered[at]!.position);
}
