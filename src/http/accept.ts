/**
 * Whether an Accept header excludes these media types: it gives the weight 0 to one of them, and another to none, by
 * the most specific matching range (RFC 9110 section 12.5.1). Where it mentions none of them, they stay acceptable: a
 * server may disregard the header (section 12.4.1), and common clients send defaults without JSON.
 */
export function excludes(accept: string | undefined, mediaTypes: readonly string[]): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(parseRange);
  const weights = mediaTypes.flatMap((mediaType) => weightsOf(mediaType, ranges));
  return weights.length > 0 && weights.every((weight) => weight === 0);
}

/** Whether an Accept header names a media type, and prefers it to another one. */
export function prefersType(accept: string | undefined, mediaType: string, other: string): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(parseRange);
  const weightOf = (type: string): number => Math.max(0, ...weightsOf(type, ranges));
  return ranges.some(({ name }) => name === mediaType) && weightOf(mediaType) > weightOf(other);
}

interface MediaRange {
  name: string;
  weight: number;
}

/** Parameters of the media type itself are ignored. */
function parseRange(range: string): MediaRange {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return {
    // Java's default header holds a bare `*`.
    name: name === '*' ? '*/*' : name,
    weight: readWeight(weight?.replace(/^q\s*=\s*/, '')),
  };
}

/** An unreadable weight counts as 1; `.2`, which Java sends, is 0.2. */
function readWeight(text: string | undefined): number {
  const weight = text !== undefined && /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : 1;
  return Math.min(weight, 1);
}

/** The highest weight among the most specific matching ranges; empty when no range matches. */
function weightsOf(mediaType: string, ranges: MediaRange[]): number[] {
  const [type] = mediaType.split('/');
  for (const name of [mediaType, `${type}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.name === name);
    if (matching.length > 0) return [Math.max(...matching.map(({ weight }) => weight))];
  }
  return [];
}
