import path from 'node:path';
import { defineConfig } from 'vite';
import manifest from './package.json' with { type: 'json' };

const root = import.meta.dirname;

/** HTTPEP as one program, with what it shares with HTTP-AE in it. Packages of others are installed beside it. */
export default defineConfig({
  root,
  build: {
    ssr: path.join(root, 'main.ts'),
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'main.js', chunkFileNames: '[name].js' } },
  },
  ssr: { noExternal: ['@http-ae/core'], external: Object.keys(manifest.dependencies) },
});
