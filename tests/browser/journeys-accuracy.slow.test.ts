import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { JourneySchema, lastMarkOf, splitJourney } from '#core/evaluation/journey/journey.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { account } from '#testbed/origin/pages/account-pages.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-of.ts';
import { judgeTime } from '../support/judge-time.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';
import { valueOf } from './support/visit-for-snapshot.ts';

const library = path.join(
  path.dirname(createRequire(import.meta.url).resolve('web-vitals')),
  'web-vitals.attribution.iife.js',
);
const engines = [
  { name: 'chrome', open: openSession },
  ...(isFirefoxLeftOut ? [] : [{ name: 'firefox', open: openFirefoxSession }]),
];
/** A latency that missed an object, or counted the page before, is further off. */
const toleranceMs = 100;
const delayMs = 200;

const navigation = { assertedEvents: [{ type: 'navigation' }] };
const click = (selector: string, more: object = {}) => ({ type: 'click', selectors: [[selector]], ...more });
const mark = (name: string) => ({ type: 'customStep', name: 'mark', parameters: { name } });

describe.each(engines)('a journey in $name', ({ open }) => {
  let origin: Origin;
  let session: EngineSession;
  beforeAll(async () => {
    [origin, session] = await Promise.all([
      startOrigin({}),
      open({ pageLoad: { timeoutMs: 4000, restMs: 100, quietMs: 300 }, recordsHeaders: true }),
    ]);
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await origin.close();
  });

  async function make(steps: object[]): Promise<VisitOutcome[]> {
    const journey = JourneySchema.parse({ title: 'Journey', timeout: 1000, steps });
    const outcomes: VisitOutcome[] = [];
    for (const { leg, address } of splitJourney(journey))
      outcomes.push(
        await session.visit({ url: address, leg, untilMark: lastMarkOf(leg), signal: new AbortController().signal }),
      );
    return outcomes;
  }

  test('signs in and follows a path: each navigation is a Visit, with the latencies that the origin saw', async (context) => {
    const measure = async () => {
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

      expect(outcomes.map((outcome) => (outcome.status === 'failed' ? outcome.detail : outcome.status))).toEqual([
        'ok',
        'ok',
        'ok',
      ]);
      expect(
        origin.truth
          .requests()
          .filter(({ path: at }) => at.startsWith('/account'))
          .map(({ path: at, status }) => `${at} ${status}`),
      ).toEqual(['/account/sign-in 200', '/account/sign-in 303', '/account/home 200', '/account/orders 200']);
      const snapshots = outcomes.map(({ snapshot }) => snapshot!);
      const errors: { what: string; errorMs: number }[] = [];
      for (const [index, visit] of ['path', 'path.2', 'path.3'].entries()) {
        const snapshot = snapshots[index]!;
        const { baseMs, totalMs } = truthOf(origin.truth, visit);
        const startMs = valueOf(snapshot, 'requestStartMs');

        errors.push(
          { what: `base of ${visit}`, errorMs: valueOf(snapshot, 'baseMs') - startMs - baseMs! },
          { what: `total of ${visit}`, errorMs: valueOf(snapshot, 'totalMs') - startMs - totalMs! },
        );
        expect(valueOf(snapshot, 'objectCount'), visit).toBe(6);
        expect(snapshot).toMatchObject({ settled: true, viewport: { widthPx: 900, heightPx: 700 } });
      }
      // From mark to mark: the page is busy for 120 ms, and the waiting adds a frame or two.
      expect(valueOf(snapshots[1]!, 'taskMs')).toBeGreaterThan(119);
      expect(JSON.stringify(snapshots)).not.toContain(account.password);
      return errors;
    };
    await judgeTime(context, {
      measure,
      holds: (errors) => expect(errors.filter(({ errorMs }) => Math.abs(errorMs) >= toleranceMs)).toEqual([]),
    });
  });

  test('ends where a step cannot be taken, and where it leads elsewhere than its steps say', async () => {
    const url = `${origin.httpUrl}/account/sign-in?visit=lost`;
    const start = { type: 'navigate', url };
    const [never, after] = await make([start, click('#nowhere'), { type: 'navigate', url }]);
    expect(never).toMatchObject({
      status: 'failed',
      code: 'journey-step-failed',
      detail: 'Step 2, click #nowhere: no such element could be used within 1000 ms',
      snapshot: { settled: true },
    });
    expect(after).toMatchObject({ status: 'failed', code: 'journey-ended', snapshot: null });
    const [, stays] = await make([start, click('#user', navigation)]);
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
    await using server = await servePages({ '/': `${noIcon}<a href="${origin.httpUrl}/hang">Go</a>` });
    const [, never] = await make([{ type: 'navigate', url: server.url }, click('a', navigation)]);
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
      { type: 'waitForElement', timeout: 3000, selectors: ['#reported'] },
    ]);
    expect(outcome).toMatchObject({ status: 'ok' });
    const snapshot = outcome!.snapshot!;
    const { interactions, userTimings = [] } = snapshot.frames[0]!;
    // Older versions of Firefox do not say which events are of one interaction.
    if (interactions === undefined) return;
    const expected = userTimings.findLast(({ name }) => name === 'web-vitals')!.detail;
    expect(valueOf(snapshot, 'interactionMs')).toBe(expected);
    expect(valueOf(snapshot, 'interactionMs')).toBeGreaterThanOrEqual(176);
  });
});
