import { failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import type { EngineSettings } from '../engine.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { readProtocol } from '#core/metrics/objects-and-bytes.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';

/** Browsers fall back to another version of HTTP without a word. Where `protocols` is HTTP/2 or HTTP/3 alone, a Visit with an object by another is a failed one. */
export function holdToProtocols(
  outcome: VisitOutcome,
  { browser: { protocols }, urls = [] }: Pick<EngineSettings, 'browser' | 'urls'>,
): VisitOutcome {
  const [only] = protocols?.length === 1 ? protocols : [];
  if (outcome.status === 'failed' || (only !== 'h2' && only !== 'h3')) return outcome;
  const { snapshot } = outcome;
  const origins = listOrigins([...urls, snapshot.requestedUrl]).map(({ origin }) => origin);
  const problem = explainOtherProtocol(snapshot, { protocol: only, origins });
  return problem === null ? outcome : failedOutcome(new VisitFailure('protocol-not-used', problem, snapshot));
}

/**
 * Which objects of these origins came by another version of HTTP than this, by its name in ALPN; null for none. The base page is judged wherever it came from. An object whose version neither the engine nor
 * the page reports is not judged, as one without an answer.
 */
export function explainOtherProtocol(
  snapshot: Snapshot,
  { protocol, origins }: { protocol: string; origins: readonly string[] },
): string | null {
  const judged = findCountedObjects(snapshot).flatMap((object) => {
    const url = object.hops.at(-1)?.url ?? object.url;
    const version = readProtocol(object);
    const isMeasured =
      object.hops.at(-1)?.isMainDocument || (URL.canParse(url) && origins.includes(new URL(url).origin));
    return version !== null && isMeasured ? [{ url, version }] : [];
  });
  const others = judged.filter(({ version }) => version !== protocol);
  const [first] = others;
  if (!first) return null;
  return `${others.length} of ${judged.length} objects did not come by ${protocol}: ${first.url} came by ${first.version}`;
}

/** Of all that are over TLS, each once. */
export function listOrigins(urls: readonly string[]): URL[] {
  const all = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  const origins = all.filter(({ protocol }) => protocol === 'https:').map(({ origin }) => origin);
  return [...new Set(origins)].map((origin) => new URL(origin));
}

/** Whether a browser uses HTTP/3 at once, for all requests; where it learns of it from an answer (Alt-Svc, RFC 7838), as users' browsers do; or never. */
type Http3Mode = 'only' | 'discovered' | 'off';

export function readHttp3Mode({ protocols }: Pick<BrowserSettings, 'protocols'>): Http3Mode {
  if (!protocols?.includes('h3')) return 'off';
  return protocols.length === 1 ? 'only' : 'discovered';
}
