import { isLoopback } from '../is-loopback.ts';
import type { BrowserSettings } from './browser/browser-settings.ts';
import type { Evaluation } from './evaluation.ts';
import { urlsOf } from './rounds/expand-evaluation.ts';
import { fillVariables } from './pages/variables.ts';

/**
 * What a Run uses besides its hosts, and may share with other Runs: `resource:NAME` as declared, and `origin:HOST` of each URL and each proxy. Ports do
 * not count: they are of one machine. Neither do loopback addresses, which are of the host itself.
 */
export function listShared(evaluation: Evaluation): string[] {
  const { resources, scenarios, userAgents } = evaluation;
  const lists = new Set(userAgents.map(({ urlList }) => urlList));
  const bases = new Set(
    [...lists].flatMap((list) => urlsOf(evaluation, list).map(({ url, address = url }) => baseOf(address))),
  );
  const addresses = scenarios.flatMap(({ variables, browser }) => [
    ...[...bases].map((base) => fillVariables(base, variables)),
    ...listProxies(browser),
  ]);
  const hosts = addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).hostname] : []));
  return [
    ...new Set([
      ...resources.map((name) => `resource:${name}`),
      ...hosts.filter((host) => !isLoopback(host)).map((host) => `origin:${host}`),
    ]),
  ];
}

/** All before the path: of the thousands of URLs of a list, few differ in it. */
function baseOf(url: string): string {
  return /^[^/?#]*(?:\/\/[^/?#]*)?/.exec(url)![0];
}

/** In a script for proxies, those that it may answer with. https://developer.mozilla.org/docs/Web/HTTP/Guides/Proxy_servers_and_tunneling/Proxy_Auto-Configuration_PAC_file */
const proxyInScript = /\b(?:PROXY|SOCKS[45]?|HTTPS?)\s+([\w.:[\]-]+)/g;

function listProxies({ proxy, pac = '' }: BrowserSettings): string[] {
  const scripted = [...pac.matchAll(proxyInScript)].map(([, address]) => `http://${address}`);
  return proxy === undefined ? scripted : [proxy, ...scripted];
}
