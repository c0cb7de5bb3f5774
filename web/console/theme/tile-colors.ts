/** The colours of tiles as the workplace paints them, by the names that the API documents. */
export const TILE_COLORS: Record<string, string> = {
  red: '#c92a3a',
  orange: '#c2500c',
  yellow: '#a16a00',
  green: '#25803f',
  teal: '#0c7d7d',
  blue: '#1c6fc7',
  indigo: '#4653c8',
  purple: '#7c3fc0',
  pink: '#c02a7c',
  brown: '#84553a',
  grey: '#5f6878',
  black: '#20242c',
};

/** The tile of an application without a colour. */
export const NO_COLOR = '#566074';
