import type { LoadHook } from 'node:module';

/** The planted changes, by the end of the module's URL. */
const PLANTED: [path: string, from: string, to: string][] = [
  ['/auth/constant-time-response.js', 'error instanceof ApiError && error.status === 401', 'false'],
  [
    '/credentials/password-hash.js',
    'const compared =',
    'if (stored === undefined) return false;\n const compared =',
  ],
];

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const planted = PLANTED.find(([path]) => url.endsWith(path));
  if (!planted) return loaded;
  const [path, from, to] = planted;
  const source = Buffer.from(loaded.source as Uint8Array).toString();
  if (!source.includes(from)) throw new Error(`nothing to plant in ${path}`);
  return { ...loaded, source: source.replace(from, to) };
};
