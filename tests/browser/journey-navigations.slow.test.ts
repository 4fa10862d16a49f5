import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { JourneySchema, splitJourney } from '#core/evaluation/journey/journey.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { noIcon, sendPixel, servePages, type PageServer } from './support/serve-pages.ts';
import { valueOf } from './support/visit-for-snapshot.ts';

const engines = [
  { name: 'chrome', open: openSession },
  ...(isFirefoxLeftOut ? [] : [{ name: 'firefox', open: openFirefoxSession }]),
];

const shop = `<!doctype html>${noIcon}<title>Shop</title>
<a id=go href="/item?id=1">Item</a>
<a id=tracked href="/item?id=1" onclick="fetch('/track', { keepalive: true }); new Image().src = '/clicked.png'">Tracked</a>
<a id=slow href="/item?id=1&slow">Slow</a>
<button id=opens onclick="window.open('/item?id=1'); requestAnimationFrame(() => requestAnimationFrame(() => { later.hidden = false; }))">Open</button>
<a id=later href="/item?id=1" hidden>Later</a>
<button id=asks onclick="if (confirm('Buy?')) location = '/item?id=1'">Buy</button>
<script>onclick = () => { let count = 0; setInterval(() => fetch('/poll?' + count++), 40); }; onbeforeunload = (event) => event.preventDefault();</script>`;
const item = `<!doctype html>${noIcon}<title>Item</title><img src="/picture.png">`;

let server: PageServer;
beforeAll(async () => {
  const answer = (body: string, delayMs: number) => (response: import('node:http').ServerResponse) =>
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(body),
      delayMs,
    );
  server = await servePages({
    '/': shop,
    '/item': answer(item, 400),
    '/track': answer('', 30),
    '/poll': answer('', 10),
    '/clicked.png': sendPixel,
    '/picture.png': sendPixel,
  });
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(engines)('a journey in $name', ({ open }) => {
  let session: EngineSession;
  beforeAll(async () => {
    session = await open({ pageLoad: { restMs: 0, quietMs: 200, timeoutMs: 8000 } });
  });
  afterAll(() => session[Symbol.asyncDispose]());

  async function clickOn(id: string, url: string | undefined, before: object[] = []): Promise<VisitOutcome> {
    const { steps } = JourneySchema.parse({
      title: 'Shop',
      steps: [
        { type: 'navigate', url: `${server.url}/` },
        ...before,
        {
          type: 'click',
          selectors: [[`#${id}`]],
          offsetX: 2,
          offsetY: 2,
          assertedEvents: [{ type: 'navigation', url }],
        },
      ],
    });
    const outcomes: VisitOutcome[] = [];
    for (const { leg, address } of splitJourney({ steps, timeout: 5000 }))
      outcomes.push(await session.visit({ url: address || server.url, leg, signal: new AbortController().signal }));
    return outcomes[1]!;
  }

  test('fails where a step leads to another page than its recording, with both addresses', async () => {
    const outcome = await clickOn('go', `${server.url}/item?id=2`);
    expect(outcome).toMatchObject({ status: 'failed', code: 'journey-strayed', snapshot: { settled: true } });
    const { detail } = outcome as { detail: string };
    expect(detail).toContain(`${server.url}/item?id=1`);
    expect(detail).toContain(`${server.url}/item?id=2`);
  });

  test('goes on where the address is the same but for its fragment, or none was recorded', async () => {
    expect(await clickOn('go', `${server.url}/item?id=1#top`)).toMatchObject({ status: 'ok' });
    expect(await clickOn('go', undefined)).toMatchObject({ status: 'ok' });
  });

  test.for(['tracked', 'slow'])('counts nothing that the page before asked for after the click (%s)', async (id) => {
    const outcome = await clickOn(id, undefined);
    expect(outcome).toMatchObject({ status: 'ok' });
    const snapshot = outcome.snapshot!;
    expect(snapshot.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/item', '/picture.png']);
    expect(valueOf(snapshot, 'objectCount')).toBe(2);
  });

  test('takes its next step on the page that opened a window, which is closed: the page is shown as before', async () => {
    const opens = { type: 'click', selectors: [['#opens']] };
    expect(await clickOn('later', `${server.url}/item?id=1`, [opens])).toMatchObject({ status: 'ok' });
  });

  test('answers as a person who goes on: a question is confirmed, and the page is left', async () => {
    expect(await clickOn('asks', `${server.url}/item?id=1`)).toMatchObject({ status: 'ok' });
  });
});
