import { page } from '../page-natives.ts';

/** The absolute address of something that comes over the network, without its fragment; null for `data:`, `blob:` and their like. */
export function readNetworkUrl(text: string, baseUrl: string = page.baseUri): string | null {
  if (!text || !URL.canParse(text, baseUrl)) return null;
  const url = new URL(text, baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  url.hash = '';
  return url.href;
}

/** The addresses of all `url(…)` in a piece of CSS. */
export function readCssUrls(css: string, baseUrl?: string): string[] {
  const matches = css.matchAll(/url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:[^()"'\s\\]|\\.)+))\s*\)/g);
  return Array.from(matches, ([, double, single, bare]) =>
    readNetworkUrl(unescapeCss(double ?? single ?? bare ?? ''), baseUrl),
  ).filter((url) => url !== null);
}

/** https://drafts.csswg.org/css-syntax/#consume-escaped-code-point */
function unescapeCss(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, hex: string | undefined, literal: string) =>
    hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : literal,
  );
}
