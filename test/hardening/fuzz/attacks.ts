import { addresses } from './addresses.js';
import type { AttackClass } from './attempt.js';
import { files } from './files.js';
import { sqlInjection } from './injection.js';
import { jsonSyntax, shapeBombs } from './json.js';
import { grammar, queryShapes } from './lists.js';
import { markers } from './markers.js';
import { jsonPatch } from './patches.js';
import { rawHttp } from './sockets.js';
import { naughty, storedScripts, unicode } from './texts.js';
import { scim } from './scim.js';
import { forgedTokens } from './forged-tokens.js';

/** Section 4A in the order of execution: texts are stored last. */
export const ATTACKS: AttackClass[] = [
  jsonSyntax,
  shapeBombs,
  sqlInjection,
  grammar,
  queryShapes,
  rawHttp,
  addresses,
  forgedTokens,
  markers,
  scim,
  jsonPatch,
  files,
  naughty,
  unicode,
  storedScripts,
];
