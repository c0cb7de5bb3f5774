import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';

const SCHEMA = pathToFileURL(resolve('dist/migrations')).href;

/** Adds the later migrations to those of the build, before the server imports them. */
const PRELOAD = `${readFileSync('test/support/later-migrations.ts', 'utf8').replace('../../migrations', SCHEMA)}
import { migrations } from '${SCHEMA}/index.js';
migrations.push(...LATER);`;

/** Options of Node with which the build is a later version: its schema has later-migrations.ts as well. */
export const KNOW_LATER = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    transformSync(PRELOAD, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }).code,
  )}`,
];
