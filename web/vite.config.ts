import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

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
    rolldownOptions: { input: { workplace: file('workplace/index.html') } },
  },
});
