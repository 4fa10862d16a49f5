import { expect, test } from 'vitest';
import { allHardCases, hardDocuments, hardObjects } from '#testbed/origin/pages/hard-cases/all-hard-cases.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { askOrigin } from './ask-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin());

async function readLinks(path: string): Promise<URL[]> {
  const { status, body } = await askOrigin(origin, origin.httpUrl + path);
  expect(status).toBe(200);
  return [...body.toString().matchAll(/["'(]((?:https?:\/\/[^/"')]+)?\/[^"')]*\?[^"')]*)["')]/g)].map(
    (match) => new URL(match[1]!, origin.httpUrl),
  );
}

test('no two cases have an object of the same name', () => {
  expect(hardObjects.size).toBe(allHardCases.flatMap(({ objects }) => Object.keys(objects)).length);
});

test('the page and its documents link every object, each with its truth and the Visit', async () => {
  const documents = [...hardDocuments.keys()].map((name) => `/hard-cases/${name}?counts=total&object=${name}&visit=v`);
  const links = (await Promise.all(['/hard-cases?visit=v', ...documents].map(readLinks))).flat();

  expect(new Set(links.map((link) => link.searchParams.get('object')))).toEqual(new Set(hardObjects.keys()));
  for (const link of links) {
    expect(link.searchParams.get('visit')).toBe('v');
    expect(link.searchParams.get('counts')).toBe(hardObjects.get(link.searchParams.get('object')!)!.counts);
  }
});

test.each(['httpUrl', 'crossOriginUrl', 'httpsUrl', 'http2Url'] as const)(
  'on %s the foreign objects are on another site, over TLS if the page is',
  async (listener) => {
    const { body } = await askOrigin(origin, `${origin[listener]}/hard-cases`);
    const foreign = new URL(/https?:\/\/[^"']+object=cross-site-frame[^"']*/.exec(body.toString())![0]);
    const own = new URL(origin[listener]);
    expect(foreign.hostname).not.toBe(own.hostname);
    expect(foreign.protocol).toBe(own.protocol);
    expect((await askOrigin(origin, foreign.href)).status).toBe(200);
  },
);

test('?last leaves the other cases out and holds that object back', async () => {
  const links = await readLinks('/hard-cases?last=web-font');
  const delays = new Map(
    links.map((link) => [link.searchParams.get('object'), Number(link.searchParams.get('delayMs'))]),
  );
  expect([...delays.keys()].sort()).toEqual(['image', 'image-below-fold', 'web-font']);
  expect(delays.get('web-font')).toBeGreaterThan(delays.get('image-below-fold')! + 1000);
});

test('a document that is held back brings in nothing', async () => {
  expect(
    await readLinks('/hard-cases/opaque-style-sheet?object=opaque-style-sheet&counts=viewport&last=opaque-style-sheet'),
  ).toEqual([]);
});
