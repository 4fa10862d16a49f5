import { expect, test } from 'vitest';
import { makeFrame, makeRequest, makeResource, pageUrl } from '../core/metrics/support/snapshot-parts.ts';
import { playBrowser } from './support/played-browser.ts';

await playBrowser({});
const { markIcons } = await import('#extension/background/visit/visit-in-stage.ts');

// https://github.com/puppeteer/puppeteer/issues/5542: a page that names no icon had one object more, which failed.
test('a request for an icon that no element made is one of the browser', () => {
  const icon = `${pageUrl}favicon.ico`;
  const logo = `${pageUrl}logo.png`;
  const requests = [
    makeRequest({ url: icon, id: '1' }),
    makeRequest({ url: `${pageUrl}moved.ico`, id: '1', hop: 1 }),
    makeRequest({ url: logo, id: '2' }),
    makeRequest({ url: `${pageUrl}other.png`, id: '3' }),
  ];
  markIcons(requests, { frames: [makeFrame({ resources: [makeResource({ name: logo })] })], iconUrls: [icon, logo] });
  expect(requests.map(({ type }) => type)).toEqual(['icon', 'icon', 'image', 'image']);
});

test('what was taken for an icon while the page loaded is an image where an element made it too', () => {
  const icon = `${pageUrl}favicon.ico`;
  const requests = [makeRequest({ url: icon, id: '1', type: 'icon' })];
  markIcons(requests, { frames: [makeFrame({ resources: [makeResource({ name: icon })] })], iconUrls: [icon] });
  expect(requests.map(({ type }) => type)).toEqual(['image']);
});
