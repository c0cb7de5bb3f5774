// Writes the API description to dist/openapi.json from the controllers of the built server, without starting it,
// and checks it with the recommended rules of Redocly. A warning fails like an error.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppModule } from '../dist/src/app.module.js';
import { loadConfig } from '../dist/src/config/config.js';
import { controllersOf } from '../dist/src/openapi/controllers-of.js';
import { buildDocument } from '../dist/src/openapi/document.js';
import { connectLinks } from '../dist/src/resources/connect-links.js';
import { servedBy } from '../dist/src/resources/resource.controller.js';

const FILE = 'dist/openapi.json';

const controllers = controllersOf(AppModule.with(loadConfig({})));
connectLinks(servedBy(controllers));
writeFileSync(FILE, JSON.stringify(buildDocument('', controllers)));

const { stdout, stderr } = spawnSync(
  process.execPath,
  [
    join('node_modules', '@redocly', 'cli', 'bin', 'cli.js'),
    'lint',
    FILE,
    '--extends=recommended',
    // The schemas of responseMode=user are named by the description of that parameter alone.
    '--skip-rule=no-unused-components',
    '--format=json',
    '--max-problems=1000',
  ],
  {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')) || '{}');
if (totals?.errors !== 0 || totals?.warnings !== 0) {
  for (const { ruleId, severity, message, location } of problems ?? [])
    console.error(`${severity} ${ruleId} ${location?.[0]?.pointer ?? ''}: ${message}`);
  if (!problems) console.error(stderr);
  process.exitCode = 1;
}
