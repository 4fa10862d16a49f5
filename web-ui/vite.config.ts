import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the development server finds a Controller: the API is its, the pages are Vite's. */
const controller = process.env.HTTP_AE_CONTROLLER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { proxy: { '/api': controller } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy of the Controller has no data: URLs.
    assetsInlineLimit: 0,
  },
});
