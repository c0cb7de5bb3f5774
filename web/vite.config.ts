import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Each folder with a page in it is one page of the server. */
const pages = readdirSync(file('.')).filter((name) => existsSync(file(`${name}/index.html`)));

// eslint-disable-next-line no-restricted-syntax -- Vite reads the default export
export default defineConfig({
  // Relative addresses: the server puts the base path into each page.
  base: './',
  build: {
    outDir: file('../dist/web'),
    emptyOutDir: true,
    // The content security policy admits files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first browsers that have light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(pages.map((name) => [name, file(`${name}/index.html`)])),
      checks: { pluginTimings: false },
      onLog(level, log, report) {
        // "use client" speaks to frameworks that render on a server.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
