import { readNetworkUrl } from './network-url.ts';

interface BlockingNeed {
  kind: 'style-sheet' | 'script';
  url: string;
}

/** Style sheets and scripts that held back the first rendering. */
export function findBlockingNeeds(
  entries: readonly (PerformanceResourceTiming & { renderBlockingStatus?: string })[],
): BlockingNeed[] {
  const isTold = entries.some((entry) => entry.renderBlockingStatus !== undefined);
  if (!isTold) return findByMarkup();
  const urlsInBody = findUrlsInBody();
  return entries
    .filter((entry) => entry.renderBlockingStatus === 'blocking')
    .flatMap(describeEntry)
    .filter(({ url }) => !urlsInBody.has(url));
}

/**
 * Nothing blocks rendering once there is a body (https://html.spec.whatwg.org/#allows-adding-render-blocking-elements); yet Chrome
 * says so of what it finds in the body by looking ahead in the HTML.
 */
function findUrlsInBody(): Set<string> {
  const inBody = document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>(
    'body script[src], body link[rel~=stylesheet][href]',
  );
  const urls = Array.from(inBody, (element) =>
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
  const sheets = Array.from(document.head.querySelectorAll<HTMLLinkElement>('link[rel~=stylesheet][href]'))
    .filter((link) => !link.disabled && (!link.media || matchMedia(link.media).matches))
    .map((link): BlockingNeed => ({ kind: 'style-sheet', url: link.href }));
  const scripts = Array.from(document.head.querySelectorAll<HTMLScriptElement>('script[src]'))
    .filter((script) => !script.async && !script.defer && script.type !== 'module')
    .map((script): BlockingNeed => ({ kind: 'script', url: script.src }));
  return [...sheets, ...scripts];
}
