// Writes docs/reasons.md from the table of reasons. With --check it writes nothing; its exit code tells whether the file
// is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { REASONS } from '../dist/src/base/errors/reasons.js';

const FILE = 'docs/reasons.md';

const cell = (text) => text.replace(/[|<>*_]/g, (character) => `\\${character}`);
const rows = Object.entries(REASONS)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, message]) => `| \`${code}\` | ${cell(message)} |`);

const text = `# Reasons

Every code with which the server says why it refuses a call ([api-contract.md](api-contract.md#reasons)). This file is made
from the table in \`src/base/errors/reasons.ts\` (\`npm run docs:reasons\`); a test fails when it is stale. Names in braces are the
\`parameters\`.

| code | message |
| --- | --- |
${rows.join('\n')}
`;

const made = await format(text, { ...(await resolveConfig(FILE)), filepath: FILE });
if (!process.argv.includes('--check')) writeFileSync(FILE, made);
else if (readFileSync(FILE, 'utf8') !== made) {
  console.error(`${FILE} is stale: run npm run docs:reasons`);
  process.exit(1);
}
