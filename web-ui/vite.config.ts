import react from '@vitejs/plugin-react';
import path from 'node:path';
import { build, defineConfig, type Plugin } from 'vite';
import { renderDocument } from './render-document.ts';

/** Where the development server finds a Controller: the API is its, the pages are Vite's. */
const controller = process.env.HTTP_AE_CONTROLLER ?? 'http://127.0.0.1:8420';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), renderDocuments(), buildReport()],
  resolve: {
    alias: { '@stdlib/assert-has-generator-support': path.join(import.meta.dirname, 'has-generator-support.cjs') },
  },
  server: { proxy: { '/api': controller } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy of the Controller has no data: URLs.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Together: `refuse-eval` stops zod from compiling, before any other part makes a schema of it.
            { name: 'zod', test: /node_modules\/zod\/|refuse-eval/ },
            // What every page needs, in one file and not in twenty.
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|react-router|scheduler|@tanstack\/(react-query|query-core))\//,
            },
            // Without the large ones that the first page has no use for.
            {
              name: 'components',
              test: /node_modules\/(@mantine\/(?!core\/esm\/components\/(NumberInput|MultiSelect|SegmentedControl)\/)|@floating-ui\/)/,
              minShareCount: 4,
            },
            // A browser asks for six files at a time: what several pages share comes in one. The charts come after the words. What the first page has no use for comes with its pages.
            {
              name: 'parts',
              test: /web-ui\/src\/(access|api\/(?!reports|visit-requests|capture-requests|tries|deletion-requests|retention-requests|pair-search|share-requests|token-requests|study-requests|passes-query|user-cells-query)|components\/(?!run\/(add-rounds|lost-data|next-steps|round-passes|run-list|run-table)|reduction|scenario\/(scenario-legend|user-)|terms\/figure-words|annotation\/annotation-section|axis-ticks|chart|copyable-code|facts|form-dialog|group-bodies|kept-days|measured-url|name-switch|virtual-rows|yaml-editor)|export|format\/(?!format-reduction))/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});

/** The documents of the repository, as modules of what `renderDocument` makes of them. */
function renderDocuments(): Plugin {
  const root = path.dirname(import.meta.dirname);
  return {
    name: 'documents',
    transform: (text, id) => {
      if (!id.endsWith('.md')) return null;
      const { title, html, pictures } = renderDocument(text, path.relative(root, id));
      const imports = pictures.map(
        (picture, index) => `import picture${index} from ${JSON.stringify(path.join(root, picture))};`,
      );
      const filled = pictures.map((_, index) => `.replace('{picture ${index}}', picture${index})`).join('');
      return {
        code: `${imports.join('\n')}\nexport default { title: ${JSON.stringify(title)}, html: ${JSON.stringify(html)}${filled} };`,
        map: null,
      };
    },
  };
}

/** Builds, beside the web UI, what makes a report in one file. */
function buildReport(): Plugin {
  let outDir = '';
  return {
    name: 'report-in-one-file',
    apply: 'build',
    configResolved: (config) => {
      outDir = path.resolve(config.root, config.build.outDir, 'report');
    },
    closeBundle: async () => {
      await build({
        configFile: path.join(import.meta.dirname, 'vite.report.config.ts'),
        logLevel: 'warn',
        build: { outDir },
      });
    },
  };
}
