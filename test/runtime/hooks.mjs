import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';
import { transform } from '@swc/core';

/** How Node resolves and loads TypeScript and `@jest/globals` in a worker of Jest. */
const GLOBALS = new URL('globals.mjs', import.meta.url).href;

const OPTIONS = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
  swcrc: false,
};

export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  if (specifier.startsWith('.') && specifier.endsWith('.js')) {
    const { href } = new URL(specifier.replace(/js$/, 'ts'), context.parentURL);
    if (existsSync(fileURLToPath(href))) return { url: href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  const [file] = url.split('?');
  if (!file.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(file);
  const { code } = await transform(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
