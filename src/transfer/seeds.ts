import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOfParameter, setParameter } from '../security/parameters/parameter-writer.service.js';
import type { Config } from '../base/config/config.js';
import { strictUtf8 } from '../http/strict-utf8.js';
import { type AuditContext, recordAudit } from '../security/audit.service.js';
import {
  type ParameterDefinition,
  PARAMETERS,
} from '../security/parameters/parameter-definitions.js';
import { importIn } from './import.js';
import { type ImportableResource, IMPORTABLE_RESOURCES } from './importable-resources.js';
import { recordOf } from './records.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';

/** Seeds cannot be applied; `message` names every error of a file. */
export class SeedError extends Error {}

/** One seed file: objects of an organization beside the shipped seeds. */
interface SeedFile {
  file: string;
  digest: string;
  parameters: Record<string, unknown>;
  rows: Map<ImportableResource, Record<string, unknown>[]>;
}

/** The result for a file. */
export interface SeedState extends Record<string, unknown> {
  file: string;
  state: 'applied' | 'was applied before';
}

/** The advisory lock under which one instance at a time seeds. */
const LOCK = 2_026_112_102;

/**
 * Applies the seeds of a folder (docs/decisions/0011) in the order of their names, each once and in a separate
 * transaction. It reads all files before it applies the first.
 * @throws SeedError
 */
export async function applySeeds(
  config: Config,
  folder: string,
  auditContext: AuditContext,
): Promise<SeedState[]> {
  const files = await readFolder(folder);
  return DedicatedConnection.on(config, async (session) => {
    const states: SeedState[] = [];
    for (const file of files)
      states.push(
        await session.transaction(async () => {
          const isNew = await begin(session, file);
          if (isNew) await apply(config, session, file, auditContext);
          const state = isNew ? 'applied' : 'was applied before';
          return { keep: true, result: { file: file.file, state } satisfies SeedState };
        }),
      );
    return states;
  });
}

async function readFolder(folder: string): Promise<SeedFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new SeedError(`there are no seeds (*.json) in ${folder}`);
  return Promise.all(names.map(async (name) => readSeed(name, await readFile(join(folder, name)))));
}

function readSeed(file: string, bytes: Buffer): SeedFile {
  let content: unknown;
  try {
    content = JSON.parse(strictUtf8().decode(bytes));
  } catch (error) {
    throw new SeedError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new SeedError(`${file}: must be a JSON object`);
  const { parameters = {}, ...rest } = content as Record<string, unknown>;
  const rows = new Map<ImportableResource, Record<string, unknown>[]>();
  for (const [name, list] of Object.entries(rest)) {
    const kind = IMPORTABLE_RESOURCES.find(({ resource }) => resource.name === name);
    if (!kind)
      throw new SeedError(
        `${file}: unknown kind ${name}; known: parameters, ${IMPORTABLE_RESOURCES.map(({ resource }) => resource.name).join(', ')}`,
      );
    if (!Array.isArray(list) || list.some((row) => typeof row !== 'object' || row === null))
      throw new SeedError(`${file}: ${name} must be a list of JSON objects`);
    rows.set(kind, list as Record<string, unknown>[]);
  }
  if (typeof parameters !== 'object' || parameters === null)
    throw new SeedError(`${file}: parameters must be a JSON object of values by key`);
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { file, digest, parameters: parameters as Record<string, unknown>, rows };
}

/** Whether a file must be applied; takes the lock until the end of the transaction. */
async function begin(session: DedicatedConnection, { file, digest }: SeedFile): Promise<boolean> {
  await session.run('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  const [row] = await session.rows({
    text: 'SELECT digest FROM seeds WHERE file = $1',
    values: [file],
  });
  if (row && row[0] !== digest)
    throw new SeedError(
      `${file}: was applied with another content; leave it as it was and add a file`,
    );
  return row === undefined;
}

async function apply(
  config: Config,
  session: DedicatedConnection,
  seed: SeedFile,
  auditContext: AuditContext,
): Promise<void> {
  const mistakes = await setParameters(config, session, seed, auditContext);
  const kinds = IMPORTABLE_RESOURCES.filter((kind) => seed.rows.has(kind));
  for (const kind of kinds)
    mistakes.push(...(await load(session, seed, kind, auditContext, kind.mutual)));
  // Links between two resources that refer to each other, once both have their rows.
  for (const kind of kinds)
    if (mistakes.length === 0 && seed.rows.get(kind)!.some((row) => givesMutual(kind, row)))
      mistakes.push(...(await load(session, seed, kind, auditContext)));
  if (mistakes.length > 0)
    throw new SeedError(mistakes.map((mistake) => `${seed.file}: ${mistake}`).join('\n'));
  await session.run('INSERT INTO seeds (file, digest) VALUES ($1, $2)', [seed.file, seed.digest]);
  await recordAudit(session, auditContext, { action: 'seed', after: { file: seed.file } });
}

const givesMutual = ({ mutual }: ImportableResource, row: Record<string, unknown>): boolean =>
  mutual !== undefined && Object.hasOwn(row, mutual);

async function load(
  session: DedicatedConnection,
  { rows }: SeedFile,
  kind: ImportableResource,
  auditContext: AuditContext,
  mutual?: string,
): Promise<string[]> {
  const records = rows.get(kind)!.map((given, at) => recordOf(at + 1, { ...given }));
  const mistakes: string[] = [];
  await importIn(session, {
    kind,
    records: [records],
    without: mutual === undefined ? [] : [mutual],
    auditContext,
    report: ({ line, fields }) => {
      for (const { name, reason } of fields)
        mistakes.push(`${kind.resource.name}[${line - 1}]: ${name}: ${reason.message}`);
    },
  });
  return mistakes;
}

async function setParameters(
  config: Config,
  session: DedicatedConnection,
  { parameters }: SeedFile,
  auditContext: AuditContext,
): Promise<string[]> {
  const mistakes: string[] = [];
  for (const [key, value] of Object.entries(parameters)) {
    const definition = Object.values<ParameterDefinition>(PARAMETERS).find(
      (one) => key === one.key || key === `com.${config.env.VENDOR}.${one.key}`,
    );
    const text = String(value);
    const fault = definition
      ? (await faultOfParameter(session, definition, text))?.message
      : 'there is no such parameter';
    if (fault !== undefined) mistakes.push(`parameters: ${key}: ${fault}`);
    else await setParameter(session, definition!, text, config.env.VENDOR, auditContext);
  }
  return mistakes;
}
