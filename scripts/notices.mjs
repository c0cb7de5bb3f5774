// Writes THIRD-PARTY-NOTICES.txt into the folder of a release, and its bill of materials to standard output. Reads that
// of npm from standard input, adds the packages inside the pages, and replaces what differs between two runs.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const bill = json('/dev/stdin');
/** Packages that Vite put into the pages, with the texts of their licences. */
const bundled = json('dist/page-licenses.json');

/** The folders of all packages in a folder `node_modules`, nested ones too. */
function packagesIn(path) {
  if (!existsSync(path)) return [];
  return readdirSync(path).flatMap((name) => {
    const found = join(path, name);
    if (name.startsWith('@')) return packagesIn(found);
    return existsSync(join(found, 'package.json'))
      ? [found, ...packagesIn(join(found, 'node_modules'))]
      : [];
  });
}

/** What a package says of its licence: its files, or else the section of its README. */
function textOf(path) {
  const read = (pattern) =>
    readdirSync(path)
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => readFileSync(join(path, name), 'utf8').trim());
  const texts = read(/^(licen[cs]e|copying|notice)/i);
  if (texts.length > 0) return texts.join('\n\n');
  const [section] = /^#+ *licen[cs](e|ing)\b.*$/ims.exec(read(/^readme/i).join('\n')) ?? [''];
  return `The package has no file with its licence: the standard texts are at the end.\n\n${section}`.trim();
}

/** Where the source of a library under the LGPL is, and that it may be replaced (LGPL-3.0, section 4). */
const sourceOf = ({ name, version }) =>
  name.startsWith('@img/sharp-libvips')
    ? [
        'Unchanged, and linked dynamically: another build of the library can replace the file in lib/.',
        `Source and how it is built: https://github.com/lovell/sharp-libvips/tree/v${version}; versions.json of the`,
        'package has the version of each library.',
      ]
    : [];

const texts = new Map(
  packagesIn(join(folder, 'node_modules')).map((path) => {
    const { name, version } = json(join(path, 'package.json'));
    return [`${name}@${version}`, textOf(path)];
  }),
);
for (const { name, version, identifier, text } of bundled) {
  const ref = `${name}@${version}`;
  if (texts.has(ref)) continue;
  texts.set(ref, text.trim());
  bill.components.push({
    'bom-ref': ref,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'process-platform:bundled-into', value: 'dist/pages' }],
    licenses: [{ license: { id: identifier } }],
  });
}
bill.metadata.timestamp = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString();
bill.metadata.component.name = json('package.json').name;
delete bill.serialNumber;
const digest = createHash('sha256').update(JSON.stringify(bill)).digest('hex');
// A UUID of version 8 (RFC 9562, section 5.8).
bill.serialNumber = `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5')}`;
console.log(JSON.stringify(bill, null, 2));

const RULE = `\n\n${'='.repeat(80)}\n`;
const notices = bill.components.map((component) => {
  const { name, version, licenses = [], author, externalReferences = [] } = component;
  const source = externalReferences.find(({ type }) => type === 'vcs')?.url;
  return [
    `${name} ${version}`,
    `Licence: ${licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(', ') || 'see below'}`,
    ...(author ? [`Author: ${author}`] : []),
    ...(source ? [`Source: ${source}`] : []),
    ...sourceOf(component),
    '',
    texts.get(`${name}@${version}`),
  ].join('\n');
});
const standard = readdirSync('LICENSES')
  .sort()
  .map(
    (file) => `Standard text of ${file}\n\n${readFileSync(join('LICENSES', file), 'utf8').trim()}`,
  );
const head =
  'Packages of third parties in this release: those in node_modules, and those in the pages (dist/pages).';
writeFileSync(
  join(folder, 'THIRD-PARTY-NOTICES.txt'),
  `${[head, ...notices, ...standard].join(RULE)}\n`,
);
