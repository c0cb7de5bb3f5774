import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A function of the database with its triggers, as it is now. */
export interface DatabaseFunction {
  /** The name of the function, without arguments; no other has the same. */
  name: string;
  /** The statements of its file, which may run again. */
  text: string;
  digest: string;
}

const FOLDER = new URL('functions/', import.meta.url);

const readFolder = (folder: URL): DatabaseFunction[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const digest = createHash('sha256').update(text).digest('hex');
      return { name: file.slice(0, -'.sql'.length), text, digest };
    });

/** The functions that tables and other functions need before they are there, e.g. in the expression of an index. */
export const baseFunctions = readFolder(new URL('base/', FOLDER));

/** All functions, in the order in which they are created. */
export const functions = [...baseFunctions, ...readFolder(FOLDER)];
