import { expect, test } from 'vitest';
import { declareTimes } from '#cli/site/fetch-corpus.ts';
import { makeRecordedExchange, makeRecordedSite } from '#tests/support/make-recorded-site.ts';

test('a recording of one machine gets a distance for each host, always the same, and times of thought', () => {
  const hosts = ['page.test', 'a.test', 'b.test', 'c.test'];
  const paths = ['/', '/index.html', '/a.htm?b=1', '/style.css', '/html/one.png'];
  const recorded = makeRecordedSite({
    hosts: hosts.map((name) => ({ name, connectMs: 0 })) as never,
    exchanges: paths.map((path) => makeRecordedExchange({ url: `https://page.test${path}` })),
  });
  const declared = declareTimes(recorded, 'page.test');
  expect(declareTimes(recorded, 'page.test')).toEqual(declared);
  const [own, ...others] = declared.hosts.map(({ connectMs }) => connectMs!);
  expect(own).toBe(40);
  for (const ms of others) expect(ms >= 10 && ms <= 60).toBe(true);
  expect(new Set(others).size).toBe(3);
  expect(declared.exchanges.map(({ thinkMs }) => thinkMs)).toEqual([5, 80, 80, 5, 5]);
});
