import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { EngineSession, TakenScreenshot } from '#agent/engines/engine.ts';
import { openSession } from './support/open-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';

const quick = { restMs: 0, quietMs: 100 };
const page = `${noIcon}<body style="margin: 0; background: rgb(0, 0, 255)"><div style="height: 300vh"></div><script>scrollTo(0, 1e6)</script>`;

async function takeScreenshot(session: EngineSession, url: string): Promise<TakenScreenshot[]> {
  const taken: TakenScreenshot[] = [];
  await session.visit({
    url,
    signal: new AbortController().signal,
    onScreenshot: (screenshot) => void taken.push(screenshot),
  });
  return taken;
}

async function describe(screenshots: TakenScreenshot[]) {
  const [screenshot] = screenshots;
  if (screenshots.length !== 1 || screenshot?.kind !== 'taken')
    throw new Error(`There is no screenshot: ${JSON.stringify(screenshots)}`);
  const { format, width, height } = await sharp(screenshot.jpeg).metadata();
  const { data } = await sharp(screenshot.jpeg)
    .extract({ left: width >> 1, top: height - 5, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { format, width, height, isBlue: data[0]! < 20 && data[1]! < 20 && data[2]! > 235 };
}

test('a screenshot is what the viewport shows, one pixel for each of CSS at any device scale', async () => {
  await using server = await servePages({ '/': page });
  await using session = await openSession({
    pageLoad: quick,
    browser: { viewport: { widthPx: 390, heightPx: 844 }, deviceScaleRatio: 2 },
  });
  expect(await describe(await takeScreenshot(session, server.url))).toEqual({
    format: 'jpeg',
    width: 390,
    height: 844,
    isBlue: true,
  });
});

test('a large viewport is scaled down, and a page with an error status has a screenshot too', async () => {
  await using server = await servePages({
    '/missing': (response) => response.writeHead(404, { 'content-type': 'text/html' }).end(page),
  });
  await using session = await openSession({ pageLoad: { ...quick, viewport: { widthPx: 4000, heightPx: 2000 } } });
  expect(await describe(await takeScreenshot(session, `${server.url}/missing`))).toEqual({
    format: 'jpeg',
    width: 1600,
    height: 800,
    isBlue: true,
  });
});

test('where no page came there is nothing to take', async () => {
  await using session = await openSession({ pageLoad: quick });
  expect(await takeScreenshot(session, 'http://no-such-name.invalid/')).toEqual([]);
});
