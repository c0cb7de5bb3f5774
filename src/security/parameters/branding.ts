import { createHash } from 'node:crypto';
import type { ParameterValues } from './parameters.service.js';
import { type Picture, pictureIn } from './picture-value.js';

/** The branding of the pages and mails of this server (docs/decisions/0029). */
export interface Branding {
  /** The name in headers, titles of tabs and mails; blank for the usual ones. */
  name: string;
  /** The accent colour on light backgrounds as `#rrggbb`; blank for the usual one. */
  accentLight: string;
  /** The accent colour on dark backgrounds. */
  accentDark: string;
  /** With the name of its file, which changes with its content. */
  logo?: Picture & { fileName: string };
}

/** Cached by the snapshot, because a logo takes time to decode and a snapshot never changes. */
const brandings = new WeakMap<ParameterValues, Branding>();

/** The branding in the server parameters. */
export function brandingOf(values: ParameterValues): Branding {
  const known = brandings.get(values);
  if (known) return known;
  const branding: Branding = {
    name: values.text('displayName'),
    accentLight: values.text('accentLight'),
    accentDark: values.text('accentDark'),
    logo: logoIn(values.text('logo')),
  };
  brandings.set(values, branding);
  return branding;
}

function logoIn(url: string): Branding['logo'] {
  const picture = pictureIn(url);
  if (!picture) return undefined;
  const digest = createHash('sha256').update(picture.content).digest('hex').slice(0, 16);
  return { ...picture, fileName: `logo-${digest}${picture.suffix}` };
}
