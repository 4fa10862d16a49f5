import react from '@vitejs/plugin-react';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, defineConfig, type Plugin } from 'vite';
import { Marked, type Tokens } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { createEvaluationJsonSchema } from '../core/evaluation/evaluation-json-schema.ts';

/** Asks for the words of a document instead of what it says. */
const wordsQuery = '?words';
const wordsEnding = `.md${wordsQuery}`;

/** Where the development server finds a Controller: the API is its, the pages are Vite's. */
const controller = process.env.HTTP_AE_CONTROLLER ?? 'http://127.0.0.1:8420';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), renderDocuments(), buildReport(), writeSchema()],
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
            { name: 'components', test: /node_modules\/(@mantine|@floating-ui)\//, minShareCount: 8 },
            // A browser asks for six files at a time: what several pages share comes in one. The charts come after the words. What the first page has no use for comes with its pages.
            {
              name: 'parts',
              test: /web-ui\/src\/(access|api\/(?!reports|evaluation-requests|run-progress|visit-requests|capture-requests|tries|deletion-requests|retention-requests|pair-search|share-requests|token-requests|study-requests|passes-query|user-cells-query)|components\/(?!run\/(add-rounds|lost-data|next-steps|round-passes|run-list|run-table)|reduction|scenario\/(scenario-legend|user-)|terms\/figure-words|annotation\/annotation-section|axis-ticks|chart|copyable-code|facts|form-dialog|group-bodies|kept-days|measured-url|name-switch|virtual-rows|yaml-editor)|format\/)/,
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
    load: async (id) => {
      if (!id.endsWith(wordsEnding)) return null;
      const text = await readFile(id.slice(0, -wordsQuery.length), 'utf8');
      return { code: `export default ${JSON.stringify(listWords(text))};`, map: null };
    },
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

/** Writes the JSON Schema of an Evaluation, which the first line of each example names, as the Controller serves it. */
function writeSchema(): Plugin {
  return {
    name: 'evaluation-schema',
    apply: 'build',
    closeBundle: () =>
      writeFile(
        path.join(import.meta.dirname, '../docs/evaluation.schema.json'),
        `${JSON.stringify(createEvaluationJsonSchema(), null, 2)}\n`,
      ),
  };
}

interface RenderedDocument {
  /** Its first heading. */
  title: string;
  /** All but its first heading. The address of the picture of index n is written as `{picture n}`. */
  html: string;
  /** Files, from the root of the repository. */
  pictures: string[];
}

/** A document of the repository, by its path from the root, as the web UI shows it: links to documents lead to their pages, what only the repository has is no link. */
export function renderDocument(text: string, file: string): RenderedDocument {
  const pictures: string[] = [];
  const fromRoot = (href: string) => path.posix.join(path.posix.dirname(file), href);
  const [, title = file, body = text] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
  const marked = new Marked(gfmHeadingId(), {
    renderer: {
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens);
        const address = addressOf(href, fromRoot);
        return address === null
          ? words
          : `<a href="${escapeHtml(address)}"${/^https?:/.test(address) ? ' target="_blank" rel="noreferrer"' : ''}>${words}</a>`;
      },
      image({ href, text: alt }: Tokens.Image) {
        pictures.push(fromRoot(href));
        return `<img src="{picture ${pictures.length - 1}}" alt="${escapeHtml(alt)}">`;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], name: 'td' | 'th') =>
          `<tr>${cells.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')}</tr>`;
        return `<div tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
      },
      code({ text: code }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
      },
    },
  });
  return { title: title.replaceAll('`', ''), html: marked.parse(body, { async: false }), pictures };
}

/** What a document is found by: its words of three letters or more, each once, in lower case. */
export function listWords(text: string): string {
  return [...new Set(text.toLowerCase().match(/[a-z][a-z'’-]{2,}/g))].sort().join(' ');
}

/** The page of the document `docs/NAME.md` is `/help/NAME`; that of README is `/help`. */
function addressOf(href: string, fromRoot: (href: string) => string): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const [file = '', fragment] = fromRoot(href).split('#');
  const end = fragment === undefined ? '' : `#${fragment}`;
  if (file === 'README.md') return `/help${end}`;
  const name = /^docs\/(.+)\.md$/.exec(file)?.[1];
  return name === undefined ? null : `/help/${name}${end}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
