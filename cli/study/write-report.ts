import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { readStudies, studiesFolder } from '#controller/studies/read-studies.ts';
import { AppError } from '#core/app-error.ts';
import { findingsFile } from './measure-parts.ts';
import { chooseStudies } from './plan-parts.ts';
import { makeFolder } from '../installation.ts';

/** The results that come with HTTP-AE. */
const resultsFolder = path.resolve(import.meta.dirname, '../../docs/studies');
const reportName = 'studies.html';

export interface StudyReportOptions {
  all?: true;
  from?: string;
  to: string;
}

interface Section {
  name: string;
  title: string;
  html: string;
}

/** Writes the findings and figures of studies as one document that needs no other file. Throws `invalid-input` where none of them has results. */
export async function writeStudyReport(names: readonly string[], { all, from, to }: StudyReportOptions): Promise<void> {
  const folder = from === undefined ? resultsFolder : path.resolve(from);
  const studies = chooseStudies(await readStudies(studiesFolder), { names, isAll: all === true });
  const sections: Section[] = [];
  const missing: string[] = [];
  for (const { name } of studies) {
    const results = path.join(folder, name);
    const text = await readFile(path.join(results, findingsFile), 'utf8').catch((cause: unknown) => {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw cause;
    });
    if (text === null) missing.push(name);
    else sections.push(await renderSection(name, { text, folder: results }));
  }
  if (sections.length === 0)
    throw new AppError(
      'invalid-input',
      `${folder} has no results of ${missing.join(', ')}: it needs NAME/${findingsFile}`,
    );
  makeFolder(to);
  const file = path.join(to, reportName);
  await writeFile(file, writeDocument(sections));
  if (missing.length > 0) process.stderr.write(`Not measured, and left out: ${missing.join(', ')}\n`);
  process.stdout.write(`${file}\n`);
}

/** Headings are one level deeper than in the file, and figures are within the document. */
async function renderSection(name: string, { text, folder }: { text: string; folder: string }): Promise<Section> {
  const [, title = name, body = text] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
  const marked = new Marked({
    async: true,
    async walkTokens(token) {
      if (token.type === 'image') {
        const image = token as Tokens.Image;
        const svg = await readFile(path.join(folder, decodeURI(image.href)));
        image.href = `data:image/svg+xml;base64,${svg.toString('base64')}`;
      }
    },
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        return `<h${depth + 1}>${this.parser.parseInline(tokens)}</h${depth + 1}>\n`;
      },
      // Files beside the document are not in it.
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens);
        return /^https?:/.test(href) ? `<a href="${escapeHtml(href)}">${words}</a>` : '';
      },
      image({ href, text: alt }: Tokens.Image) {
        return `<img src="${href}" alt="${escapeHtml(alt)}">`;
      },
      html({ text: html }: Tokens.HTML | Tokens.Tag) {
        return escapeHtml(html);
      },
    },
  });
  return { name, title, html: await marked.parse(body) };
}

function writeDocument(sections: readonly Section[]): string {
  const entries = sections.map(({ name, title }) => `<li><a href="#${name}">${escapeHtml(title)}</a></li>`);
  const bodies = sections.map(
    ({ name, title, html }) => `<section id="${name}">\n<h2>${escapeHtml(title)}</h2>\n${html}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>HTTP-AE: evaluation</title>
<style>${style}</style>
<h1>Evaluation</h1>
<p>What studies of the HTTP-AE papers found, each with its claims, what was measured, the verdicts and the figures.</p>
<nav><ol>${entries.join('')}</ol></nav>
${bodies.join('\n')}
</html>
`;
}

const style = `
:root { color-scheme: light; font: 16px/1.5 system-ui, sans-serif; }
html { background: #fff; color: #1b1f24; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
section { border-top: 1px solid #d0d7de; margin-top: 3rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { border-top: 1px solid #d0d7de; padding: 0.35rem 0.6rem 0.35rem 0; text-align: left; vertical-align: top; }
img { display: block; max-width: 100%; }
@media print { section { break-before: page; } tr, img { break-inside: avoid; } }
`;

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
