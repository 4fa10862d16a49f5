import { page, queryAll } from '../page-natives.ts';

interface BlockingNeed {
  kind: 'style-sheet' | 'script';
  url: string;
}

/** Style sheets and scripts that held back the first rendering. `paintedMs`: when the page first showed content; null where it has not. */
export function findBlockingNeeds(
  entries: readonly (PerformanceResourceTiming & { renderBlockingStatus?: string })[],
  paintedMs: number | null,
): BlockingNeed[] {
  const isReported = entries.some((entry) => entry.renderBlockingStatus !== undefined);
  if (!isReported) return leaveOutLate(findByMarkup(), { entries, paintedMs });
  const urlsInBody = findUrlsInBody();
  const reported = entries
    .filter((entry) => entry.renderBlockingStatus === 'blocking')
    .flatMap(describeEntry)
    .filter(({ url }) => !urlsInBody.has(url));
  // Chrome does not say so of what an instruction names, and waits for it all the same.
  const known = new Set(reported.map(({ url }) => url));
  return [...reported, ...findByInstructions().filter(({ url }) => !known.has(url))];
}

/**
 * Nothing blocks rendering once there is a body (https://html.spec.whatwg.org/#allows-adding-render-blocking-elements); yet Chrome
 * says so of what it finds in the body by looking ahead in the HTML.
 */
function findUrlsInBody(): Set<string> {
  const inBody = queryAll<HTMLScriptElement | HTMLLinkElement>(
    document,
    'body script[src], body link[rel~=stylesheet][href]',
  );
  const urls = inBody.map((element) =>
    readNetworkUrl(element instanceof HTMLScriptElement ? element.src : element.href),
  );
  return new Set(urls.filter((url) => url !== null));
}

function describeEntry(entry: PerformanceResourceTiming): BlockingNeed[] {
  const url = readNetworkUrl(entry.name);
  if (!url) return [];
  return [{ kind: entry.initiatorType === 'script' ? 'script' : 'style-sheet', url }];
}

/** Where the browser does not report it (Firefox): what in the head would block by the rules of HTML. https://html.spec.whatwg.org/#render-blocking-mechanism */
function findByMarkup(): BlockingNeed[] {
  const { head } = page;
  if (!head) return findByInstructions();
  const sheets = queryAll<HTMLLinkElement>(head, 'link[rel~=stylesheet][href]')
    .filter((link) => !link.disabled && (!link.media || matchMedia(link.media).matches))
    .map((link): BlockingNeed => ({ kind: 'style-sheet', url: link.href }));
  const scripts = queryAll<HTMLScriptElement>(head, 'script[src]')
    .filter((script) => !script.async && !script.defer && script.type !== 'module')
    .map((script): BlockingNeed => ({ kind: 'script', url: script.src }));
  return [...sheets, ...listImportsOf(head), ...scripts, ...findByInstructions()];
}

/** What the style sheets of the head import holds rendering back as they do, even for media that are not met: a sheet is there once its imports are. */
function listImportsOf(head: Element): BlockingNeed[] {
  const owners = new Set<Node>(queryAll(head, 'link, style'));
  return page.styleSheets
    .filter(({ ownerNode, disabled, media }) => ownerNode && owners.has(ownerNode) && !disabled && isMet(media))
    .flatMap((sheet) => listImports(sheet).map((url): BlockingNeed => ({ kind: 'style-sheet', url })));
}

function listImports(sheet: CSSStyleSheet): string[] {
  return Array.from(readRules(sheet) ?? []).flatMap((rule) => {
    if (!(rule instanceof CSSImportRule) || !rule.styleSheet?.href) return [];
    return [rule.styleSheet.href, ...listImports(rule.styleSheet)];
  });
}

function isMet({ length, mediaText }: MediaList): boolean {
  return length === 0 || matchMedia(mediaText).matches;
}

/** Null for a style sheet of another origin that was not fetched with CORS, or one that has not arrived. */
export function readRules(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Pages change markup to apply a style sheet late. What ended after content was shown did not hold it back. */
function leaveOutLate(
  needs: readonly BlockingNeed[],
  { entries, paintedMs }: { entries: readonly PerformanceResourceTiming[]; paintedMs: number | null },
): BlockingNeed[] {
  if (paintedMs === null) return [...needs];
  const firstEnds = new Map(entries.toReversed().map(({ name, responseEnd }) => [readNetworkUrl(name), responseEnd]));
  return needs.filter(({ url }) => (firstEnds.get(readNetworkUrl(url)) ?? 0) <= paintedMs);
}

/** An XML document may name style sheets in instructions before its root. https://www.w3.org/TR/xml-stylesheet/ */
function findByInstructions(): BlockingNeed[] {
  return page.styleSheets.flatMap(({ href, ownerNode, disabled, media }): BlockingNeed[] => {
    const isNamed = href !== null && ownerNode?.nodeType === Node.PROCESSING_INSTRUCTION_NODE;
    const isApplied = !disabled && isMet(media);
    return isNamed && isApplied ? [{ kind: 'style-sheet', url: href }] : [];
  });
}

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
  return (
    Array.from(matches, ([, double, single, bare]) => unescapeCss(double ?? single ?? bare ?? ''))
      // A part of the document itself, as the mask of a drawing.
      .filter((address) => !address.startsWith('#'))
      .map((address) => readNetworkUrl(address, baseUrl))
      .filter((url) => url !== null)
  );
}

/** https://drafts.csswg.org/css-syntax/#consume-escaped-code-point */
function unescapeCss(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, hex: string | undefined, literal: string) =>
    hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : literal,
  );
}
