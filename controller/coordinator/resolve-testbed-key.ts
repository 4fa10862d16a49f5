import { AppError } from '#core/app-error.ts';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { testbedKey } from '#core/evaluation/browser/trusted-keys.ts';
import type { OrderLine } from './order-line.ts';

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

/** Throws when a Scenario trusts the testbed, and a host of a User Agent, or of HTTPEP that ends TLS, which is connected, is in none that has an origin. */
export function requireTestbedKey(
  hub: Pick<OrderLine, 'factsOf'>,
  { userAgents, scenarios }: Pick<Evaluation, 'userAgents' | 'scenarios'>,
): void {
  for (const { browser, httpep } of scenarios) {
    const hosts = userAgents.map(({ host }) => host);
    if (httpep?.tls === 'terminate') hosts.push(httpep.ground.host);
    for (const host of hosts) if (hub.factsOf(host)) resolveTestbedKey(hub, { browser, host });
  }
}

function explain(host: string): string {
  return `trustedKeys: testbed: the host "${host}" is in no testbed with an origin. Start one with "./http-ae testbed up PROFILE --origin --controller URL", and use its hosts remote, user1, …`;
}
