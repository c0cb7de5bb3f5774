// Checks dist/openapi.json, which the build writes, with the recommended rules of Redocly. A warning fails like an error.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const { stdout, stderr } = spawnSync(
  process.execPath,
  [
    join('node_modules', '@redocly', 'cli', 'bin', 'cli.js'),
    'lint',
    'dist/openapi.json',
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
