import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';

export interface RenderedDocument {
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
