import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { contents } from '#web-ui/src/pages/help/contents.ts';
import { renderDocument } from '#web-ui/vite.config.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const files = ['README.md', ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/contributing/**'] }).sort()];
const rendered = new Map(
  files.map((file) => [file, renderDocument(readFileSync(path.join(root, file), 'utf8'), file)]),
);
const fileAt = (address: string) =>
  address === '/help' ? 'README.md' : address.replace(/^\/help\/(.*)$/, 'docs/$1.md');
const placesIn = (file: string) => [...rendered.get(file)!.html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

test('the contents of Help name every document but the decisions and the results of studies, which those lead to', () => {
  const named = contents.map(({ name }) => fileAt(name === '' ? '/help' : `/help/${name}`));
  expect(named.toSorted()).toEqual(
    files.filter((file) => !file.startsWith('docs/decisions/') && !/^docs\/studies\/[^/]+\//.test(file)).toSorted(),
  );
});

describe.each(files)('%s', (file) => {
  const { title, html, pictures } = rendered.get(file)!;

  test('has one title, and leads nowhere that is not there', () => {
    expect(title).not.toBe(file);
    expect(html).not.toContain('<h1');
    // Who hears a table needs a name for each column.
    expect(html).not.toMatch(/<th[^>]*>\s*<\/th>/);
    for (const [, address] of html.matchAll(/<a href="([^"]*)"/g)) {
      if (address!.startsWith('http')) continue;
      const [page, place] = address!.startsWith('#')
        ? [file, address!.slice(1)]
        : [fileAt(address!.split('#')[0]!), address!.split('#')[1]];
      expect(files, `${address} in ${file}`).toContain(page);
      if (place !== undefined) expect(placesIn(page), `${address} in ${file}`).toContain(place);
    }
    expect(pictures.filter((picture) => globSync(picture, { cwd: root }).length === 0)).toEqual([]);
  });
});

test('what is no document is no link, and text is never markup', () => {
  const { title, html, pictures } = renderDocument(
    '# A `title`\n[file](../examples/x.yaml) [errors](errors.md#codes) [readme](../README.md) ![a "picture"](pictures/x.png)\n\n`<b>`\n\n```\n<script>\n```\n',
    'docs/a.md',
  );
  expect(title).toBe('A title');
  expect(html).toContain(
    '<p>file <a href="/help/errors#codes">errors</a> <a href="/help">readme</a> <img src="{picture 0}" alt="a &quot;picture&quot;"></p>',
  );
  expect(html).toContain('<code>&lt;b&gt;</code>');
  expect(html).toContain('<code>&lt;script&gt;</code>');
  expect(pictures).toEqual(['docs/pictures/x.png']);
});
