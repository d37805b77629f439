import { defineConfig } from 'vite';

// Names without hashes: the files lie inside one binary, which knows them by name, and nothing is cached between two starts of it.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: 'page.js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
});
