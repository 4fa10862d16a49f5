import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { ExtensionBrowser } from '#agent/engines/extension/extension-browser-options.ts';
import { ExtensionLine } from '#agent/engines/extension/extension-line.ts';
import { readVisits, launchExtensionBrowser } from '#agent/engines/extension/extension-session.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { findChrome } from './support/find-chrome.ts';
import { killServiceWorker } from './support/kill-background.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';

const stack = new AsyncDisposableStack();
let line: ExtensionLine;
let launched: ExtensionBrowser;
let pages: PageServer;

beforeAll(async () => {
  const token = randomUUID();
  line = stack.use(await ExtensionLine.open(token));
  pages = stack.use(await servePages({ '/': `${noIcon}<title>Good</title>Good`, '/held': () => undefined }));
  const connected = hear((message) => message.type === 'clock-read' || undefined);
  launched = stack.use(
    await launchExtensionBrowser({
      target: 'chrome',
      executablePath: findChrome(),
      enrolment: { controllerUrl: line.url, token, name: 'laptop' },
      folder: stack.use(await makeTemporaryFolder()).path,
      browser: BrowserSettingsSchema.parse({}),
    }),
  );
  await connected;
});
afterAll(() => stack.disposeAsync());

/** Resolves with what is picked of the messages from now on. */
const hear = <T>(pick: (message: AgentMessage, attached: Uint8Array<ArrayBuffer>) => T | undefined) =>
  line.next(pick, AbortSignal.timeout(60_000));
const hearOf = (type: 'pass-ready' | 'pass-started' | 'pass-ended', { passId }: PassOrder) =>
  hear((message) => (message.type === type && message.passId === passId) || undefined);

function makeOrder({ roundId, path }: { roundId: string; path: string }): PassOrder {
  const pageLoad = PageLoadSchema.parse({ restMs: 0, quietMs: 100 });
  const visits = [{ url: pages.url + path, repetition: 1 }];
  return {
    passId: randomUUID(),
    runId: '1',
    roundId,
    scenario: 'direct',
    userAgent: 'ann',
    engine: 'extension',
    pageLoad,
    browser: BrowserSettingsSchema.parse({}),
    capture: null,
    visits,
  };
}

async function prepare(order: PassOrder): Promise<void> {
  const ready = hearOf('pass-ready', order);
  line.send({ type: 'prepare-pass', order });
  await ready;
}

async function expectVisitOf(order: PassOrder): Promise<void> {
  const ended = hearOf('pass-ended', order);
  line.send({ type: 'start-pass', passId: order.passId, startEpochMs: epochClock() });
  await ended;
  const uploaded = hear(readVisits);
  line.send({ type: 'upload-visits' });
  const visits = await uploaded;
  expect(visits).toMatchObject([{ passId: order.passId, outcome: { status: 'ok' } }]);
  line.send({ type: 'visits-stored', visitIds: visits.map(({ id }) => id) });
}

test('a second User Agent of one Round is refused, and the first continues', async () => {
  const roundId = randomUUID();
  const [first, second] = [makeOrder({ roundId, path: '/' }), makeOrder({ roundId, path: '/' })];
  await prepare(first);
  const lost = hear((message) =>
    message.type === 'pass-lost' && message.passId === second.passId ? message.problem : undefined,
  );
  line.send({ type: 'prepare-pass', order: second });
  expect(await lost).toBe('ann: this extension already measures for "ann". One browser is one User Agent');
  await expectVisitOf(first);
});

test('a Pass of a Round whose end never came gives way to one of the next, whether it waits for its start or loads a page', async () => {
  const [waiting, loading, last] = ['/', '/held', '/'].map((path) => makeOrder({ roundId: randomUUID(), path })) as [
    PassOrder,
    PassOrder,
    PassOrder,
  ];
  await prepare(waiting);
  await prepare(loading);
  const started = hearOf('pass-started', loading);
  line.send({ type: 'start-pass', passId: loading.passId, startEpochMs: epochClock() });
  await started;
  await prepare(last);
  await expectVisitOf(last);
});

test('a Pass in step waits for the start of its next page, and says so again after its background died', async () => {
  const order = makeOrder({ roundId: randomUUID(), path: '/' });
  const inStep: PassOrder = { ...order, visits: [order.visits, order.visits].flat(), isInStep: true };
  // A line that comes up later than the page is ready has it in its greeting.
  const hearReady = () =>
    hear((message) => {
      if (message.type === 'visit-ready') return message.sequence;
      return message.type === 'hello' ? message.passes[0]?.readyFor : undefined;
    });
  await prepare(inStep);
  const ready = hearReady();
  line.send({ type: 'start-pass', passId: order.passId, startEpochMs: epochClock() });
  expect(await ready).toBe(1);
  const again = hearReady();
  await killServiceWorker(launched.browser!);
  expect(await again).toBe(1);
  const ended = hearOf('pass-ended', order);
  line.send({ type: 'start-visit', passId: order.passId, sequence: 1, startEpochMs: epochClock() });
  await ended;
  const uploaded = hear(readVisits);
  line.send({ type: 'upload-visits' });
  const visits = await uploaded;
  expect(visits.map(({ sequence, outcome }) => [sequence, outcome.status])).toEqual([
    [0, 'ok'],
    [1, 'ok'],
  ]);
  line.send({ type: 'visits-stored', visitIds: visits.map(({ id }) => id) });
});
