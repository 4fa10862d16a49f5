import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { TryRequestSchema } from '#core/protocol/api/try.ts';
import { openEditor } from '#web-ui/src/pages/evaluation/editor/use-editor-state.ts';
import { isTryOf, readTryConditions, summariseTries } from '#web-ui/src/pages/evaluation/sections/urls/tries.ts';
import { listAddresses } from '#web-ui/src/pages/evaluation/side/before-run.tsx';

const key = `${'A'.repeat(43)}=`;
const draft = {
  name: 'Draft',
  urlLists: { pages: [{ url: 'https://{site}/{1..30}' }], unused: [{ url: 'http://elsewhere.test/' }] },
  userAgents: [{ name: 'User 1', host: 'laptop', engine: 'firefox', urlList: 'pages' }],
  scenarios: [
    { name: 'Other', variables: { site: 'other.test' } },
    { name: 'As it is', baseline: true, variables: { site: 'origin.test' }, browser: { trustedKeys: [key] } },
  ],
};
const read = (change: object) => readTryConditions(openEditor(stringify({ ...draft, ...change })));

test('an address is tried as the baseline loads it, also while the draft has another problem', () => {
  const whole = read({});
  expect(whole).toEqual({
    variables: { site: 'origin.test' },
    trustedKeys: [key],
    host: 'laptop',
    engine: 'firefox',
    problem: null,
  });
  const wrong = { repetition: { rounds: 'many' } };
  expect(openEditor(stringify({ ...draft, ...wrong })).evaluation).toBeNull();
  expect(read(wrong)).toEqual(whole);
});

test('what an address cannot be tried without is said: keys that are none are not left out in silence', () => {
  const scenarios = [{ name: 'As it is', baseline: true, browser: { trustedKeys: ['no key'] } }];
  expect(read({ scenarios }).problem).toMatch(/^Correct the first Scenario first.*browser\.trustedKeys must be/);
});

test('nothing is tried where hosts are there only during a Run', () => {
  const network = { link: 'geo-1m', hosts: [{ name: 'www.shop.test' }] };
  const { problem } = read({ scenarios: [{ name: 'As it is', baseline: true, network }] });
  expect(problem).toMatch(/^The first Scenario has hosts of its own, which are there only during a Run/);
});

test('at most 20 addresses are loaded once each, those of lists that somebody loads', () => {
  const { evaluation } = openEditor(stringify(draft));
  const { addresses, others } = listAddresses(evaluation!);
  expect([addresses[0], addresses.length, others]).toEqual(['https://origin.test/1', 20, 10]);
  const request = { host: 'laptop', engine: 'firefox' };
  expect(TryRequestSchema.safeParse({ ...request, urls: addresses }).success).toBe(true);
  for (const urls of [[], [...addresses, 'http://more.test/'], ['http://a.test/', 'http://a.test/']])
    expect(TryRequestSchema.safeParse({ ...request, urls }).success).toBe(false);
});

test('what was found is shown until the addresses, or who loads them, are others', () => {
  const by = { key: 'firefox on laptop', host: 'laptop', engine: 'firefox' as const };
  const tried = { urls: ['http://a.test/', 'http://b.test/'], by };
  expect(isTryOf(tried, { urls: [...tried.urls], by: { ...by } })).toBe(true);
  expect(isTryOf(tried, { ...tried, urls: ['http://a.test/'] })).toBe(false);
  expect(isTryOf(tried, { ...tried, by: { ...by, key: 'chrome on laptop', engine: 'chrome' } })).toBe(false);
  expect(isTryOf(tried, { ...tried, by: undefined })).toBe(false);
  expect(isTryOf(undefined, tried)).toBe(false);
});

test('what became of the addresses is one line', () => {
  const tried = (failure: string | null, protocol: string | null) => ({ url: 'https://a.test/', failure, protocol });
  expect(summariseTries([tried(null, 'h2'), tried('dns-failure', null), tried(null, 'h2')])).toBe(
    '2 of 3 addresses loaded, HTTP/2 offered by all',
  );
  expect(summariseTries([tried(null, 'h2'), tried(null, 'http/1.1')])).toBe(
    '2 of 2 addresses loaded, HTTP/2 offered by 1 of them, HTTP/1.1 offered by 1 of them',
  );
  expect(summariseTries([tried('timeout', null)])).toBe('0 of 1 address loaded');
});
