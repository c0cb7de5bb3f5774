/** Dark enough for white letters (contrast of at least 4.5). */
const COLORS = [
  '#1d4ed8',
  '#047857',
  '#b45309',
  '#b91c1c',
  '#6d28d9',
  '#0e7490',
  '#be185d',
  '#4338ca',
];

/** Draws the avatar of a user without a photo: initials on a colour that depends on the user alone. */
export function drawInitials(title: string, id: string): string {
  const words = title.split(/[\s-]+/u).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
  const color = COLORS[Number(BigInt(id) % BigInt(COLORS.length))]!;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128">' +
    `<rect width="128" height="128" fill="${color}"/>` +
    '<text x="64" y="64" dy=".35em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="52" fill="#fff">' +
    `${escapeXml(letters)}</text></svg>`
  );
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
