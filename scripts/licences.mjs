// Fails on a package of the server or its pages without a licence, or with one that is not admitted here.
import { readFileSync } from 'node:fs';

/** Licences (SPDX) that ask for nothing but notices. */
const ADMITTED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause'],
  ...['Apache-2.0', 'BlueOak-1.0.0'],
]);

/** Packages admitted for a reason of their own, by name without the platform. */
const EXCEPTIONS = new Map([
  ['@img/sharp-libvips', 'LGPL-3.0-or-later: a library of its own, unchanged and replaceable'],
  ['@fontsource-variable/inter', 'OFL-1.1: a font, which comes with its licence and is not sold'],
  ['@img/sharp-wasm32', 'not shipped: sharp for systems without an own build needs it'],
  ['busboy', 'MIT, in the older field "licenses"'],
  ['passport-strategy', 'MIT, in the older field "licenses"'],
  ['pause', 'MIT, in its README'],
  ['qr', 'MIT or Apache-2.0, by choice'],
  ['streamsearch', 'MIT, in the older field "licenses"'],
]);

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
/** Whether a release has the package: native ones for other systems stay out (scripts/release.sh). */
const isShipped = ([path, { dev, os = ['linux'], cpu = ['x64'] }]) =>
  path !== '' && !dev && os.includes('linux') && cpu.some((one) => ['x64', 'arm64'].includes(one));
const packages = [
  ...Object.entries(json('package-lock.json').packages)
    .filter(isShipped)
    .map(([path, { license }]) => ({ name: path.split('node_modules/').pop(), licence: license })),
  ...json('dist/page-licenses.json').map(({ name, identifier }) => ({ name, licence: identifier })),
];
const refused = packages.filter(
  ({ name, licence }) =>
    !ADMITTED.has(licence) && !EXCEPTIONS.has(name.replace(/-linux(musl)?-(x64|arm64)$/, '')),
);
for (const { name, licence = 'no licence' } of refused) console.error(`${name}: ${licence}`);
console.log(`${packages.length} packages, ${refused.length} with a licence that is not admitted`);
process.exitCode = refused.length > 0 ? 1 : 0;
