import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExtensionLine } from '#agent/engines/extension/extension-line.ts';
import { readVisits, launchExtensionBrowser } from '#agent/engines/extension/extension-session.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { findChrome } from './support/find-chrome.ts';
import { findFirefox } from './support/find-firefox.ts';

let origin: Origin;
beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

function orderTwoVisits(url: string): PassOrder {
  return {
    passId: randomUUID(),
    runId: '1',
    roundId: randomUUID(),
    scenario: 'direct',
    userAgent: 'ann',
    engine: 'extension',
    pageLoad: PageLoadSchema.parse({ restMs: 0, quietMs: 200, cache: 'per-pass' }),
    browser: BrowserSettingsSchema.parse({}),
    capture: null,
    visits: [1, 2].map((repetition) => ({ url, repetition })),
  };
}

test.each([
  { target: 'chrome' as const, executablePath: findChrome(), isolation: 'incognito' },
  { target: 'firefox' as const, executablePath: findFirefox(), isolation: 'container' },
])(
  'in a person’s $target, a Pass begins with nothing and keeps cache and connections until its end',
  async ({ target, executablePath, isolation }) => {
    await using stack = new AsyncDisposableStack();
    const token = randomUUID();
    const line = stack.use(await ExtensionLine.open(token));
    const hear = <T>(pick: (message: AgentMessage, attached: Uint8Array<ArrayBuffer>) => T | undefined) =>
      line.next(pick, AbortSignal.timeout(60_000));
    const connected = hear((message) => message.type === 'clock-read' || undefined);
    stack.use(
      await launchExtensionBrowser({
        target,
        executablePath,
        enrolment: { controllerUrl: line.url, token, name: 'laptop' },
        folder: stack.use(await makeTemporaryFolder()).path,
        browser: BrowserSettingsSchema.parse({}),
      }),
    );
    await connected;

    const make = async (order: PassOrder): Promise<Visit[]> => {
      const hearOf = (type: 'pass-ready' | 'pass-ended') =>
        hear((message) => (message.type === type && message.passId === order.passId) || undefined);
      const ready = hearOf('pass-ready');
      line.send({ type: 'prepare-pass', order });
      await ready;
      const ended = hearOf('pass-ended');
      line.send({ type: 'start-pass', passId: order.passId, startEpochMs: epochClock() });
      await ended;
      const uploaded = hear(readVisits);
      line.send({ type: 'upload-visits' });
      const visits = await uploaded;
      line.send({ type: 'visits-stored', visitIds: visits.map(({ id }) => id) });
      return visits;
    };

    const connections = new Set<number>();
    for (const visitId of [`${target}-1`, `${target}-2`]) {
      const visits = await make(orderTwoVisits(`${origin.httpUrl}/images/10?visit=${visitId}`));
      expect(visits.map(({ outcome }) => outcome.snapshot?.isolation)).toEqual([isolation, 'shared']);
      const requests = origin.truth.requests(visitId);
      // The page and its images once, then the page alone.
      expect(requests.map(({ counts }) => counts).filter((counts) => counts === 'base')).toHaveLength(2);
      expect(requests).toHaveLength(12);
      const own = new Set(requests.map(({ connectionId }) => connectionId));
      expect(requests.at(-1)).toMatchObject({ counts: 'base' });
      expect(requests.slice(0, 11).map(({ connectionId }) => connectionId)).toContain(requests.at(-1)!.connectionId);
      expect([...own].filter((id) => connections.has(id))).toEqual([]);
      for (const id of own) connections.add(id);
    }
  },
);
