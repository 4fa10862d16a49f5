import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { JourneySchema, lastMarkOf, splitJourney } from '#core/evaluation/journey/journey.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { account } from '#testbed/origin/pages/account-pages.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-log.ts';
import { nameOriginObjects } from './name-origin-objects.ts';
import type { openSession } from './open-session.ts';
import { noIcon, servePages } from './serve-pages.ts';
import { valueOf } from './visit-for-snapshot.ts';

const library = path.join(
  path.dirname(createRequire(import.meta.url).resolve('web-vitals')),
  'web-vitals.attribution.iife.js',
);
/** Longer than any step takes that can be taken, on any machine. */
const stepTimeoutMs = 30_000;

const navigation = { assertedEvents: [{ type: 'navigation' }] };
const click = (selector: string, more: object = {}) => ({ type: 'click', selectors: [[selector]], ...more });
const mark = (name: string) => ({ type: 'customStep', name: 'mark', parameters: { name } });

const pageLoad = { timeoutMs: 60_000, restMs: 0, quietMs: 200 };

/** The origin's names of the Visits of `followPath`. */
const visitsOfPath = ['path', 'path.2', 'path.3'] as const;

/** An origin, and a session of one browser that makes journeys, for the tests of a file or a group. */
export function useJourneys(open: typeof openSession) {
  const started = {} as { origin: Origin; session: EngineSession };
  beforeAll(async () => {
    [started.origin, started.session] = await Promise.all([startOrigin({}), open({ pageLoad, recordsHeaders: true })]);
  });
  afterAll(async () => {
    await started.session[Symbol.asyncDispose]();
    await started.origin.close();
  });

  async function make(steps: object[], session = started.session): Promise<VisitOutcome[]> {
    const journey = JourneySchema.parse({ title: 'Journey', timeout: stepTimeoutMs, steps });
    const outcomes: VisitOutcome[] = [];
    for (const { leg, address } of splitJourney(journey))
      outcomes.push(
        await session.visit({ url: address, leg, untilMark: lastMarkOf(leg), signal: new AbortController().signal }),
      );
    return outcomes;
  }

  /** Signs in and follows a link. Each answer takes that long at the server. */
  async function followPath(delayMs: number) {
    const { origin } = started;
    origin.truth.clear();
    process.env.HTTP_AE_SECRET_ACCOUNT = account.password;
    const outcomes = await make([
      { type: 'setViewport', width: 900, height: 700 },
      { type: 'navigate', url: `${origin.httpUrl}/account/sign-in?visit=path&delayMs=${delayMs}` },
      { type: 'change', value: account.user, selectors: [['aria/User'], ['#none'], ['#user']] },
      { type: 'change', value: 'to be replaced', selectors: [['pierce/#password']] },
      { type: 'change', value: '{secret:ACCOUNT}', selectors: ['#password'] },
      { type: 'keyDown', key: 'Enter', ...navigation },
      { type: 'keyUp', key: 'Enter' },
      mark('http-ae-begin'),
      click('text/Search'),
      { type: 'waitForElement', selectors: ['#found'] },
      mark('searched'),
      click('xpath///*[@id="orders"]', { offsetX: 3, offsetY: 3, ...navigation }),
    ]);
    delete process.env.HTTP_AE_SECRET_ACCOUNT;
    expect(outcomes.map((outcome) => (outcome.status === 'failed' ? outcome.detail : outcome.status))).toEqual(
      visitsOfPath.map(() => 'ok'),
    );
    return visitsOfPath.map((visit, index) => ({
      visit,
      snapshot: outcomes[index]!.snapshot!,
      truth: truthOf(origin.truth, visit),
    }));
  }
  return Object.assign(started, { make, followPath });
}

/** What a browser does on a journey, by what the origin saw. */
export function describeJourneys({ name, open }: { name: string; open: typeof openSession }): void {
  describe(`a journey in ${name}`, () => {
    const started = useJourneys(open);
    const { make, followPath } = started;

    test('signs in and follows a path: each navigation is a Visit of the objects that the origin saw', async () => {
      const visits = await followPath(0);
      expect(
        started.origin.truth
          .requests()
          .filter(({ path: at }) => at.startsWith('/account'))
          .map(({ path: at, status }) => `${at} ${status}`),
      ).toEqual(['/account/sign-in 200', '/account/sign-in 303', '/account/home 200', '/account/orders 200']);
      for (const { visit, snapshot, truth } of visits) {
        expect(nameOriginObjects(findCountedObjects(snapshot)), visit).toEqual(truth.totalObjects);
        expect(valueOf(snapshot, 'objectCount'), visit).toBe(6);
        expect(snapshot).toMatchObject({ settled: true, viewport: { widthPx: 900, heightPx: 700 } });
      }
      // From mark to mark.
      expect(valueOf(visits[1]!.snapshot, 'taskMs')).toBeGreaterThan(0);
      expect(JSON.stringify(visits.map(({ snapshot }) => snapshot))).not.toContain(account.password);
    });

    test('ends where a step cannot be taken, and where it leads elsewhere than its steps say', async () => {
      const url = `${started.origin.httpUrl}/account/sign-in?visit=lost`;
      const start = { type: 'navigate', url };
      const [never, after] = await make([start, click('#nowhere', { timeout: 1000 }), { type: 'navigate', url }]);
      expect(never).toMatchObject({
        status: 'failed',
        code: 'journey-step-failed',
        detail: 'Step 2, click #nowhere: no such element could be used within 1000 ms',
        snapshot: { settled: true },
      });
      expect(after).toMatchObject({ status: 'failed', code: 'journey-ended', snapshot: null });
      const [, stays] = await make([start, click('#user', { timeout: 1000, ...navigation })]);
      expect(stays).toMatchObject({
        code: 'journey-strayed',
        detail: expect.stringContaining('loaded no page') as string,
      });
      const [strays] = await make([start, click('#submit')]);
      expect(strays).toMatchObject({
        code: 'journey-strayed',
        detail: expect.stringContaining('loaded another page') as string,
      });
    });

    test('ends at the hard cap where its navigation never does', async () => {
      await using server = await servePages({ '/': `${noIcon}<a href="${started.origin.httpUrl}/hang">Go</a>` });
      await using impatient = await open({ pageLoad: { ...pageLoad, timeoutMs: 3000 } });
      const [, never] = await make([{ type: 'navigate', url: server.url }, click('a', navigation)], impatient);
      expect(never).toMatchObject({ status: 'failed', code: 'timeout' });
    });

    test('has the interaction to next paint that web-vitals finds in the same page', async () => {
      const busy = (ms: number) => `const end = performance.now() + ${ms}; while (performance.now() < end);`;
      await using server = await servePages({
        '/': `<!doctype html>${noIcon}<body><button id=short onclick="${busy(50)}">Short</button>
          <button id=long onclick="${busy(180)}">Long</button><input onkeydown="${busy(30)}">
          <button id=done onclick="setTimeout(() => {
            Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
            document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
            this.id = 'reported';
          }, 300)">Done</button><script>${await readFile(library, 'utf8')};
          webVitals.onINP(({ value }) => performance.mark('web-vitals', { detail: value }), { reportAllChanges: true, durationThreshold: 16 })</script>`,
      });
      const [outcome] = await make([
        { type: 'navigate', url: server.url },
        click('#short'),
        click('#long'),
        { type: 'change', value: 'a,', selectors: ['input'] },
        // When the page seems hidden, web-vitals reports what it saw at once, and else when the page is idle.
        click('#done'),
        { type: 'waitForElement', selectors: ['#reported'] },
      ]);
      expect(outcome).toMatchObject({ status: 'ok' });
      const snapshot = outcome!.snapshot!;
      const { interactions, userTimings = [] } = snapshot.frames[0]!;
      // Older versions of Firefox do not say which events are of one interaction.
      if (interactions === undefined) return;
      const expected = userTimings.findLast(({ name }) => name === 'web-vitals')!.detail;
      expect(valueOf(snapshot, 'interactionMs')).toBe(expected);
    });
  });
}
