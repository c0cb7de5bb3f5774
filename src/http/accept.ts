/**
 * Whether an Accept header excludes every one of these media types: the most specific range that
 * matches one has a weight of 0 (RFC 9110 section 12.5.1). Types that the header does not mention
 * are no reason to refuse: a server may disregard the header (section 12.4.1), and usual clients
 * send defaults that name everything but JSON.
 */
export function excludes(accept: string | undefined, mediaTypes: readonly string[]): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(parseRange);
  const weights = mediaTypes.flatMap((mediaType) => weightsOf(mediaType, ranges));
  return weights.length > 0 && weights.every((weight) => weight === 0);
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
    // Java's default header has it alone.
    name: name === '*' ? '*/*' : name,
    weight: readWeight(weight?.replace(/^q\s*=\s*/, '')),
  };
}

/** What cannot be read counts as 1; `.2`, which Java sends, is 0.2. */
function readWeight(text: string | undefined): number {
  const weight = text !== undefined && /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : 1;
  return Math.min(weight, 1);
}

/** The highest weight among the most specific ranges that match; none when no range does. */
function weightsOf(mediaType: string, ranges: MediaRange[]): number[] {
  const [type] = mediaType.split('/');
  for (const name of [mediaType, `${type}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.name === name);
    if (matching.length > 0) return [Math.max(...matching.map(({ weight }) => weight))];
  }
  return [];
}
