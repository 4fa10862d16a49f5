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
