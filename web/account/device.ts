/** A browser and the system that it runs on. */
export interface Device {
  browser: string;
  system: string;
  isHandheld: boolean;
}

/** The tokens of browsers in a User-Agent. The first match counts, because most browsers also name others. */
const BROWSERS: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
];

const SYSTEMS: [name: string, mark: RegExp][] = [
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

const HANDHELD = new Set(['iPad', 'iPhone', 'Android']);

/** The device of a User-Agent; undefined for an unknown one. */
export function deviceOf(userAgent: string | null): Device | undefined {
  const find = (names: [string, RegExp][]) =>
    names.find(([, mark]) => mark.test(userAgent ?? ''))?.[0];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined || system === undefined) return undefined;
  return { browser, system, isHandheld: HANDHELD.has(system) };
}
