/** The share of each primary colour in the relative luminance (WCAG 2.2, "relative luminance"). */
const SHARES = [0.2126, 0.7152, 0.0722];

/** A colour as six hexadecimal digits, such as `#3350c4`. */
export const HEX_COLOR = /^#[0-9a-f]{6}$/i;

/**
 * The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").
 * @param first as `#rrggbb`, like `second`
 */
export function contrastOf(first: string, second: string): number {
  const [lighter, darker] = [luminanceOf(first), luminanceOf(second)].sort((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminanceOf(color: string): number {
  const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
  const linear = channels.map((one) =>
    one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4,
  );
  return linear.reduce((sum, one, at) => sum + one * SHARES[at]!, 0);
}
