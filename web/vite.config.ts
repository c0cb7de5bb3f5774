import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Each folder with a page in it is one page of the server. */
const pages = readdirSync(file('.')).filter((name) => existsSync(file(`${name}/index.html`)));

const LICENCES = 'page-licenses.json';

/** Compresses files at build time instead of at each start of the server. */
const compress: Plugin = {
  name: 'compress',
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter((one) => /\.(js|css|svg)$/.test(one)))
      writeFileSync(
        join(dir!, `${name}.gz`),
        gzipSync(readFileSync(join(dir!, name)), { level: 9 }),
      );
  },
};

/** Moves the licences of what the pages contain out of the folder that the server serves. */
const licences: Plugin = {
  name: 'licences',
  writeBundle({ dir }) {
    renameSync(join(dir!, LICENCES), join(dir!, '..', LICENCES));
  },
};

// eslint-disable-next-line no-restricted-syntax -- Vite reads the default export
export default defineConfig({
  // Addresses are relative, because the server writes the base path into each page.
  base: './',
  plugins: [compress, licences],
  build: {
    outDir: file('../dist/pages'),
    emptyOutDir: true,
    license: { fileName: LICENCES },
    // The content security policy admits files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first browsers that have light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    // test/web/pages.spec.ts limits the size of a page's first load.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: Object.fromEntries(pages.map((name) => [name, file(`${name}/index.html`)])),
      checks: { pluginTimings: false },
      onLog(level, log, report) {
        // "use client" is a directive for frameworks that render on a server.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
