import react from '@vitejs/plugin-react';
import path from 'node:path';
import { defineConfig } from 'vite';

/** The report in one file: one script and one style sheet, without any part that is loaded later. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    lib: {
      entry: path.join(import.meta.dirname, 'src/report/main.tsx'),
      formats: ['iife'],
      name: 'httpAeReport',
      fileName: () => 'report.js',
      cssFileName: 'report',
    },
  },
});
