import { stringify } from 'yaml';
import { givesArtefact } from '#core/evaluation/artefact-givers.ts';
import { type UrlEntry } from '#core/evaluation/pages/url-entry.ts';
import { UrlListSchema } from '#core/evaluation/pages/url-list.ts';
import { findFreeTitle } from '../evaluation/editor/find-free-name.ts';
import type { HostOrigin } from '#core/protocol/host-origin.ts';
import { parseUrlLines } from '../evaluation/sections/urls/parse-url-lines.ts';
import { comparisons, type ComparisonAnswers, type ComparisonKind, type ScenarioDraft } from './comparisons.ts';

/** `localhost:8080` has a port. */
const hasScheme = (address: string) => /^[a-z][a-z\d+.-]*:(?!\d)/i.test(address);
const isByNumber = (address: string) => /^(localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])([:/]|$)/i.test(address);

export interface Answers extends ComparisonAnswers {
  kind: ComparisonKind;
  urls: readonly UrlEntry[];
  host: string;
  /** The origin beside the Agent of the host, if any. */
  origin: HostOrigin | null;
  userCount: number;
  /** Names that other Evaluations have. */
  takenNames: readonly string[];
}

/** The Evaluation that the answers make, as a text to continue with. */
export function writeFirstEvaluation(answers: Answers): string {
  const { kind, urls, host, origin, engine, userCount, takenNames } = answers;
  const { name, scenarios } = comparisons[kind];
  const trust = (scenario: ScenarioDraft) =>
    origin !== null && needsOriginKey(urls, origin)
      ? { ...scenario, browser: { ...scenario.browser, trustedKeys: [origin.trustedKey] } }
      : scenario;
  const [{ name: baseline, ...settings }, other] = scenarios(answers).map(trust) as [ScenarioDraft, ScenarioDraft];
  const sections = [
    { name: findFreeTitle(name, takenNames) },
    { urlLists: { pages: origin === null ? urls : nameTestPages(urls, origin) } },
    { scenarios: [{ name: baseline, baseline: true, ...settings }, other] },
    {
      userAgents: Array.from({ length: userCount }, (_, index) => ({
        name: `User ${index + 1}`,
        host,
        engine,
        urlList: 'pages',
      })),
    },
    { repetition: { rounds: 5 } },
    // The first result is one to look at, too. It costs no time in what counts.
    ...(givesArtefact(engine, 'filmstrip') ? [{ artefacts: { filmstrip: 'warm-up' } }] : []),
  ];
  return sections.map((section) => stringify(section, { lineWidth: 0 })).join('\n');
}

/** Those of the test pages to begin with, as an address to change. Each object waits for 50 ms, as over a network: without it, loads on one machine hardly differ. */
export function suggestTestPages({ httpUrl, http2Url }: HostOrigin, kind: ComparisonKind): string {
  return `${kind === 'protocols' ? http2Url : httpUrl}/images/{5..25..10}?delayMs=50`;
}

/** With the number of images as a variable, which figures have as an axis. Other addresses stay as they are, and one that counts no images. */
function nameTestPages(urls: readonly UrlEntry[], { httpUrl, http2Url }: HostOrigin): UrlEntry[] {
  return urls.map((entry) => {
    const named = { ...entry, label: '{1} images', variables: { images: '{1}' } };
    const isTestPage = [httpUrl, http2Url].some((base) => entry.url.startsWith(`${base}/images/{`));
    return isTestPage && UrlListSchema.safeParse([named]).success ? named : entry;
  });
}

/** Whether a browser must trust the key of the origin to load one of these. */
function needsOriginKey(urls: readonly UrlEntry[], { http2Url }: HostOrigin): boolean {
  return urls.some(({ url }) => url.startsWith(`${http2Url}/`));
}

/**
 * As `parseUrlLines`. An address without a scheme gets the one that a browser's address bar gives it: http for an IP address or this machine, else https.
 * Where HTTP versions are compared it is https for all: browsers use HTTP/2 over TLS alone.
 */
export function parseAddresses(text: string, { comparesProtocols }: { comparesProtocols: boolean }): UrlEntry[] {
  const schemeOf = (address: string) => (!comparesProtocols && isByNumber(address) ? 'http' : 'https');
  return parseUrlLines(text).map((entry) =>
    hasScheme(entry.url) ? entry : { ...entry, url: `${schemeOf(entry.url)}://${entry.url}` },
  );
}
