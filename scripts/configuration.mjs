// Writes docs/configuration.md from the schema of the environment. With --check it writes nothing; its exit code
// tells whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { SECRETS, variables } from '../dist/src/base/config/config.js';

const FILE = 'docs/configuration.md';

const { properties } = z.toJSONSchema(variables, { io: 'input', unrepresentable: 'any' });

/** The default of a variable. */
function defaultOf(name, { usual }) {
  if (usual !== undefined) return usual;
  const value = variables.shape[name].def.defaultValue;
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  return text === '' ? 'none' : `\`${text}\``;
}

const rows = Object.entries(properties).map(
  ([name, property]) => `| \`${name}\` | ${defaultOf(name, property)} | ${property.description} |`,
);
const secrets = SECRETS.map((name) => `\`${name}_FILE\``).join(', ');
const text = `# Configuration

Every environment variable of the server and of its command line. This file is made from the schema that
checks them (\`npm run docs:configuration\`); a test fails when it is stale.

An empty variable counts as unset. A wrong environment stops the start with every mistake named at once.
What changes while the server runs (who may call, password rules, lifetimes) are server parameters, which
are kept in the database: [administrators.md](administrators.md).

| variable | default | meaning |
| --- | --- | --- |
${rows.join('\n')}

Secrets can be files instead, so that they are in no environment: ${secrets} name a file with the value (an empty file counts as unset);
an end of line at its end is left out. Giving both is a mistake.
`;

const made = await format(text, { ...(await resolveConfig(FILE)), filepath: FILE });
if (!process.argv.includes('--check')) writeFileSync(FILE, made);
else if (readFileSync(FILE, 'utf8') !== made) {
  console.error(`${FILE} is stale: run npm run docs:configuration`);
  process.exit(1);
}
