import { branding } from '../../theme/branding.js';

/** The logo, or the icon of the workplace. */
export function BrandMark({ isLarge = false }: { isLarge?: boolean }) {
  const size = isLarge ? 'brand-mark large' : 'brand-mark';
  if (branding.logo === undefined) return <span className={size} aria-hidden />;
  return <img className={`${size} logo`} src={branding.logo} alt="" />;
}
