import path from 'node:path';
import { defineConfig } from 'vite';

/** The probe as one script without imports, to be injected as text. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    lib: {
      entry: path.join(import.meta.dirname, 'page-probe.ts'),
      formats: ['iife'],
      name: 'httpAePageProbe',
      fileName: () => 'page-probe.js',
    },
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
  },
});
