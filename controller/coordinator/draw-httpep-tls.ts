import { createHash, generateKeyPairSync } from 'node:crypto';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import type { OrderLine } from './order-line.ts';
import { AppError } from '#core/app-error.ts';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { listLoadedSites } from '#core/evaluation/pages/site-page.ts';
import { testbedKey } from '#core/evaluation/browser/trusted-keys.ts';

/** With what HTTPEP ends the TLS of one Round. */
export interface HttpepTls {
  /** Of the remote end, in PEM. */
  privateKey: string;
  /** Base64 SHA-256 of its public key, which only the browsers of this Round trust. */
  trustedKey: string;
  /** Of origins without a known authority, which the ground end trusts. */
  originKeys: readonly string[];
}

/** Null where TLS passes untouched. Throws `invalid-input` when the Scenario trusts the testbed, and the ground end is in none with an origin. */
export function drawHttpepTls(
  hub: Pick<OrderLine, 'factsOf'>,
  { browser, httpep }: Pick<Scenario, 'browser' | 'httpep'>,
): HttpepTls | null {
  if (httpep?.tls !== 'terminate') return null;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    trustedKey: createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
    originKeys: resolveTestbedKey(hub, { browser, host: httpep.ground.host }).trustedKeys,
  };
}

/** The settings with the key of the testbed that the host is in, where they name it. Throws `invalid-input` when that host is in none that has an origin. */
export function resolveTestbedKey(
  hub: Pick<OrderLine, 'factsOf'>,
  { browser, host }: { browser: BrowserSettings; host: string },
): BrowserSettings {
  if (!browser.trustedKeys.includes(testbedKey)) return browser;
  const originKey = hub.factsOf(host)?.origin?.trustedKey ?? null;
  if (originKey === null) throw new AppError('invalid-input', explain(host));
  return { ...browser, trustedKeys: browser.trustedKeys.map((key) => (key === testbedKey ? originKey : key)) };
}

/** Hosts of recorded Sites have certificates of the testbed. */
export function trustSites(browser: BrowserSettings, { urlLists }: Pick<Evaluation, 'urlLists'>): BrowserSettings {
  if (listLoadedSites(urlLists).length === 0) return browser;
  return { ...browser, trustedKeys: [...new Set([...browser.trustedKeys, testbedKey])] };
}

/** Throws when a Scenario trusts the testbed, and a host of a User Agent, or of HTTPEP that ends TLS, which is connected, is in none that has an origin. */
export function requireTestbedKey(
  hub: Pick<OrderLine, 'factsOf'>,
  { userAgents, scenarios, urlLists }: Pick<Evaluation, 'userAgents' | 'scenarios' | 'urlLists'>,
): void {
  for (const { browser: own, httpep } of scenarios) {
    const browser = trustSites(own, { urlLists });
    const hosts = userAgents.map(({ host }) => host);
    if (httpep?.tls === 'terminate') hosts.push(httpep.ground.host);
    for (const host of hosts) if (hub.factsOf(host)) resolveTestbedKey(hub, { browser, host });
  }
}

function explain(host: string): string {
  return `trustedKeys: testbed: the host "${host}" is in no testbed with an origin. Start one with "./http-ae testbed up PROFILE --origin --controller URL", and use its hosts remote, user1, …`;
}
