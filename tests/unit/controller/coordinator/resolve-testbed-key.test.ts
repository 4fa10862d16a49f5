import { expect, test } from 'vitest';
import {
  drawHttpepTls,
  requireTestbedKey,
  resolveTestbedKey,
  trustSites,
} from '#controller/coordinator/draw-httpep-tls.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';

const originKey = `${'A'.repeat(43)}=`;
const origin = { httpUrl: 'http://198.19.0.1:8080', http2Url: 'https://198.19.0.1:8443', trustedKey: originKey };
const otherKey = `${'B'.repeat(43)}=`;
const facts = new Map([
  ['remote', { ...hostFacts, origin }],
  ['laptop', hostFacts],
]);
const hub = { factsOf: (host: string) => facts.get(host) ?? null };
const browser = BrowserSettingsSchema.parse({ trustedKeys: ['testbed', otherKey], proxy: 'http://proxy.test:3128' });

test('the testbed’s key takes the place of its word, and other settings stay', () => {
  expect(resolveTestbedKey(hub, { browser, host: 'remote' })).toEqual({
    ...browser,
    trustedKeys: [originKey, otherKey],
  });
  const plain = BrowserSettingsSchema.parse({ trustedKeys: [otherKey] });
  expect(resolveTestbedKey(hub, { browser: plain, host: 'laptop' })).toBe(plain);
});

test('HTTPEP that ends TLS trusts the origin of its testbed, with a key of its own for each Round', () => {
  const scenarioOn = (host: string) =>
    EvaluationSchema.parse({
      name: 'HTTPEP',
      urlLists: { pages: ['https://198.19.0.1:8443/'] },
      userAgents: [{ name: 'alice', host: 'remote', urlList: 'pages' }],
      scenarios: [
        {
          name: 'only',
          baseline: true,
          browser: { trustedKeys: 'testbed' },
          httpep: { tls: 'terminate', ground: { host } },
        },
      ],
    });
  const [scenario] = scenarioOn('remote').scenarios;
  const [first, second] = [drawHttpepTls(hub, scenario!), drawHttpepTls(hub, scenario!)];
  expect(first!.originKeys).toEqual([originKey]);
  expect(first!.trustedKey).not.toBe(second!.trustedKey);
  expect(drawHttpepTls(hub, { ...scenario!, httpep: { ...scenario!.httpep!, tls: 'untouched' } })).toBeNull();
  expect(() => requireTestbedKey(hub, scenarioOn('laptop'))).toThrow('the host "laptop" is in no testbed');
});

test('a host in no testbed with an origin is an error that names it and says what to do', () => {
  const evaluationOn = (host: string) =>
    EvaluationSchema.parse({
      name: 'Keys',
      urlLists: { pages: ['https://198.19.0.1:8443/'] },
      userAgents: [{ name: 'alice', host, urlList: 'pages' }],
      scenarios: [{ name: 'only', baseline: true, browser: { trustedKeys: 'testbed' } }],
    });
  expect(() => requireTestbedKey(hub, evaluationOn('laptop'))).toThrow(
    /^trustedKeys: testbed: the host "laptop" is in no testbed with an origin\. Start one with "\.\/http-ae testbed up PROFILE --origin/,
  );
  expect(() => requireTestbedKey(hub, evaluationOn('remote'))).not.toThrow();
  expect(() => requireTestbedKey(hub, evaluationOn('absent'))).not.toThrow();
});

test('recorded Sites have certificates of the testbed, which browsers trust once; without a Site nothing changes', () => {
  const lists = (...pages: Evaluation['urlLists'][string]) => ({
    urlLists: { others: [{ url: 'http://a.test/' }], pages },
  });
  const shop = { site: 'shop', url: 'https://site.invalid/shop/1' };
  const plain = BrowserSettingsSchema.parse({ trustedKeys: [otherKey], proxy: 'http://proxy.test:3128' });
  expect(trustSites(plain, lists({ url: 'https://a.test/' }))).toBe(plain);
  expect(trustSites(plain, lists({ url: 'https://a.test/' }, shop))).toEqual({
    ...plain,
    trustedKeys: [otherKey, 'testbed'],
  });
  expect(trustSites(browser, lists(shop)).trustedKeys).toEqual(['testbed', otherKey]);
});
