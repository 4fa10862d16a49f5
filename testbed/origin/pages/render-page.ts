import type { Content } from '../exchange.ts';

interface PageParts {
  title: string;
  head?: string;
  body: string;
}

/** Keeps browsers from asking for /favicon.ico, which no page counts. */
export const noIcon = '<link rel=icon href="data:,">';

export function renderPage({ title, head = '', body }: PageParts): Content {
  return {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html>
<html lang=en>
<head><meta charset=utf-8><title>${title}</title>${noIcon}${head}</head>
<body>
${body}
</body>
</html>
`,
  };
}

const paragraph =
  'A satellite in geostationary orbit stands some 36,000 km above the equator, and a signal needs about a quarter of a second ' +
  'from the ground to the satellite and down again. A page that asks for its objects one after another therefore spends most of ' +
  'its time waiting, no matter how fast the link might be. Opening a connection costs one round trip before the first request can ' +
  'leave, securing it costs one or two more, and the sender then starts slowly because it does not know yet how much the path can ' +
  'take. Several connections side by side hide a part of that wait, at a price for everybody who shares the link. Compressing the ' +
  'headers, sending several requests on one connection, or splitting the connection at a proxy near the user are other answers. ' +
  'Which of them helps, whom it helps, and what the others pay for it? You see it only by measuring all of the users at once, on ' +
  'the same pages and under the same conditions, often enough to know how far the figures can be trusted.';

/** The text that every page of images has: some 6 kB, always the same. */
export const pageText = Array.from({ length: 6 }, () => `<p>${paragraph}</p>`).join('\n');
