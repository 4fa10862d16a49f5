import { expect, test } from 'vitest';
import { reportFrame } from '#agent/engines/browser/collected-frames.ts';
import { makeFrame, makeRequest } from '../core/metrics/support/snapshot-parts.ts';

const [main, imported, deep, own, foreign] = ['main', 'imported', 'deep', 'own', 'foreign'].map(
  (name) => `http://fonts.test/${name}.css`,
) as [string, string, string, string, string];
const sheet = (url: string, initiatorUrl: string | null = 'http://origin.test/') =>
  makeRequest({ url, initiatorUrl, type: 'style-sheet' });
const requests = [
  makeRequest({ url: 'http://origin.test/', type: 'document', initiatorUrl: null }),
  sheet(own),
  sheet(main),
  makeRequest({ url: `${main}?font`, type: 'font', initiatorUrl: main }),
  sheet(imported, main),
  sheet(deep, imported),
  sheet(foreign, null),
];

/** What the probe was asked, and the report that came. */
async function report(fonts: { undeclaredFontFamilies: string[]; opaqueStyleSheets: string[] }, lost: string[] = []) {
  const asked: string[] = [];
  const answer = await reportFrame({
    evaluate: (expression) => {
      asked.push(expression);
      return Promise.resolve({ ...makeFrame(), ...fonts, asked: asked.length });
    },
    requests,
    readText: ({ url }) => {
      if (lost.includes(url)) return Promise.reject(new Error('evicted'));
      return Promise.resolve(url === imported ? null : `text of ${url}`);
    },
    ignoreRefusal: (command) =>
      command.then(
        () => undefined,
        () => undefined,
      ),
  });
  return { asked, answer: answer as { asked: number } };
}
const adding = (url: string) => `httpAeProbe.addStyleSheet(${JSON.stringify({ url, text: `text of ${url}` })})`;
const reporting = 'httpAeProbe.report()';

test('a frame whose fonts are all declared, or whose sheets it may read itself, is asked once', async () => {
  for (const fonts of [
    { undeclaredFontFamilies: [], opaqueStyleSheets: [main] },
    { undeclaredFontFamilies: ['Foreign'], opaqueStyleSheets: [] },
  ])
    expect(await report(fonts)).toMatchObject({ asked: [reporting], answer: { asked: 1 } });
});

test('a sheet that the page may not read is handed over with those that it imports, however deep, and no other', async () => {
  const { asked, answer } = await report({ undeclaredFontFamilies: ['Foreign'], opaqueStyleSheets: [main] });
  // Nobody has the text of the one between.
  expect(asked).toEqual([reporting, adding(main), adding(deep), reporting]);
  expect(answer.asked).toBe(4);
});

test('a sheet whose text the browser has forgotten stays opaque, and the others are handed over', async () => {
  const fonts = { undeclaredFontFamilies: ['Foreign'], opaqueStyleSheets: [main, foreign] };
  expect((await report(fonts, [main])).asked).toEqual([reporting, adding(deep), adding(foreign), reporting]);
});
