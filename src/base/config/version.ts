import { readFileSync } from 'node:fs';
import { findPackageJSON } from './package-json.js';

/** The version of this server, as package.json has it. */
export const VERSION = (JSON.parse(readFileSync(findPackageJSON(), 'utf8')) as { version: string })
  .version;

/** The platform version whose features this server has (docs/api-contract.md#versioning). */
export const PLATFORM_VERSION = '18.1';
