import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { hasFailed } from '#core/metrics/request-outcome.ts';
import { judgeTime, roomyLimits } from '../support/judge-time.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { serveReportPages, type ReportPages } from './support/report-pages.ts';
import { takeSnapshot, valueOf, visit } from './support/visit-for-snapshot.ts';

/** Situations of public bug reports, which pages of other tests do not have, in every engine that runs scripts. */
const engines = conformanceEngines.filter(({ hasViewport }) => hasViewport);
/** A busy machine is late by less. */
const noiseMs = 700;

interface Case {
  page: string;
  report: string;
  /** Counted objects, the page included, and the failed ones of them. */
  objects: number;
  failed: number;
  /** What the total latency is at least, in ms. */
  totalMs: number;
  /** Likewise the viewport latency, where it is another than that of the page without the rest. */
  viewportMs?: number;
  /** Where an engine rightly sees fewer. */
  except?: Record<string, number>;
}

const unread = 'microsoft/playwright#6666';
const noFrame = 'puppeteer/puppeteer#1879';
const waitsForNothing = 'as docs/metrics.md says of requests without an end';
const dialog = 'as docs/agents.md says of dialogs';
const document = 'as puppeteer/puppeteer#5542';
const password = 'w3c/webdriver#385';

const cases: Case[] = [
  { page: 'unread-length', report: unread, objects: 3, failed: 0, totalMs: 300 },
  { page: 'unread-chunk', report: unread, objects: 3, failed: 0, totalMs: 300 },
  { page: 'unread-empty', report: unread, objects: 3, failed: 0, totalMs: 300 },
  { page: 'unread-204', report: unread, objects: 3, failed: 0, totalMs: 300 },
  { page: 'unread-late', report: unread, objects: 2, failed: 0, totalMs: 300 },
  { page: 'unread-in-worker', report: unread, objects: 4, failed: 0, totalMs: 300 },
  {
    page: 'event-stream',
    report: 'as the package fetch-event-source reads',
    objects: 2,
    failed: 0,
    totalMs: 300,
  },
  { page: 'preflight', report: waitsForNothing, objects: 3, failed: 0, totalMs: 300 },
  { page: 'beacon', report: waitsForNothing, objects: 2, failed: 0, totalMs: 300 },
  { page: 'socket', report: waitsForNothing, objects: 2, failed: 0, totalMs: 300 },
  { page: 'music', report: waitsForNothing, objects: 2, failed: 0, totalMs: 300 },
  { page: 'manifest', report: waitsForNothing, objects: 2, failed: 0, totalMs: 300 },
  {
    page: 'worker-of-worker',
    report: 'microsoft/playwright#27376',
    objects: 5,
    failed: 0,
    totalMs: 300,
    except: { 'extension-chrome': 4 },
  },
  {
    page: 'empty-worker-of-worker',
    report: 'microsoft/playwright#27376',
    objects: 4,
    failed: 0,
    totalMs: 300,
    except: { 'extension-chrome': 3 },
  },
  { page: 'frame-204', report: noFrame, objects: 3, failed: 0, totalMs: 100 },
  { page: 'frame-205', report: noFrame, objects: 3, failed: 0, totalMs: 100 },
  { page: 'frame-file', report: noFrame, objects: 3, failed: 0, totalMs: 100 },
  { page: 'frame-denied', report: noFrame, objects: 3, failed: 0, totalMs: 100 },
  { page: 'frame-not-ancestor', report: noFrame, objects: 3, failed: 0, totalMs: 100 },
  { page: 'frame-removed', report: 'as puppeteer/puppeteer#1094', objects: 3, failed: 0, totalMs: 300 },
  { page: 'image-locked', report: password, objects: 3, failed: 1, totalMs: 300 },
  { page: 'frame-locked', report: password, objects: 3, failed: 1, totalMs: 300 },
  { page: 'fetch-locked', report: password, objects: 3, failed: 1, totalMs: 300 },
  { page: 'other-locked', report: password, objects: 4, failed: 2, totalMs: 300 },
  { page: 'aborted', report: `as ${noFrame}`, objects: 3, failed: 0, totalMs: 300 },
  { page: 'withheld', report: 'microsoft/playwright#42731', objects: 3, failed: 1, totalMs: 300 },
  { page: 'unreadable', report: `as ${noFrame}`, objects: 3, failed: 0, totalMs: 300 },
  { page: 'refused', report: `as ${noFrame}`, objects: 3, failed: 0, totalMs: 300 },
  { page: 'camera', report: waitsForNothing, objects: 2, failed: 0, totalMs: 300 },
  { page: 'broken-off', report: `as ${noFrame}`, objects: 3, failed: 1, totalMs: 300 },
  // Siblings of these, which no report names.
  { page: 'prints', report: dialog, objects: 2, failed: 0, totalMs: 300 },
  { page: 'prints-in-frame', report: dialog, objects: 3, failed: 0, totalMs: 300 },
  { page: 'transformed', report: document, objects: 3, failed: 0, totalMs: 300, viewportMs: 300 },
  { page: 'frame-transformed', report: document, objects: 5, failed: 0, totalMs: 300 },
  { page: 'frame-of-pdf', report: document, objects: 3, failed: 0, totalMs: 300 },
  { page: 'embedded-picture', report: document, objects: 4, failed: 0, totalMs: 500, viewportMs: 500 },
  { page: 'sprite', report: document, objects: 3, failed: 0, totalMs: 500, viewportMs: 500 },
  { page: 'frame-forbidden', report: `as ${noFrame}`, objects: 2, failed: 0, totalMs: 300 },
  { page: 'redirect-forbidden', report: `as ${noFrame}`, objects: 3, failed: 0, totalMs: 300 },
  { page: 'script-is-html', report: `as ${noFrame}`, objects: 4, failed: 0, totalMs: 300 },
  { page: 'reports-breach', report: waitsForNothing, objects: 2, failed: 0, totalMs: 300 },
  { page: 'loads-ahead', report: 'DataDog/browser-sdk#2859', objects: 2, failed: 0, totalMs: 300 },
];

describe.each(engines)('public reports in $name', ({ name, open }) => {
  let pages: ReportPages;
  let session: EngineSession;
  beforeAll(async () => {
    pages = await serveReportPages();
    session = await open({ pageLoad: { restMs: 0, timeoutMs: 12_000 } });
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });

  test.for(cases)(
    '$page settles, with $objects objects of which $failed failed ($report)',
    async ({ page, objects, failed, totalMs, viewportMs = 0, except }, context) => {
      const measure = async () => {
        const snapshot = await takeSnapshot(session, `${pages.url}/${page}`);
        expect(snapshot.settled).toBe(true);
        expect(valueOf(snapshot, 'failedObjectCount')).toBe(failed);
        const isRemarked = snapshot.remarks?.some(({ code }) => code === 'unassigned-scripts') ?? false;
        expect(isRemarked).toBe(except?.[name] !== undefined);
        expect(valueOf(snapshot, 'totalMs')).toBeGreaterThan(totalMs - 1);
        expect(valueOf(snapshot, 'viewportMs')).toBeGreaterThan(viewportMs - 1);
        // The browser's own error page is hundreds of kilobytes.
        expect(snapshot.requests.reduce((sum, { receivedBytes }) => sum + (receivedBytes ?? 0), 0)).toBeLessThan(
          20_000,
        );
        return { count: valueOf(snapshot, 'objectCount'), measuredMs: valueOf(snapshot, 'totalMs') };
      };
      await judgeTime(context, {
        measure,
        holds: ({ count, measuredMs }) => {
          // A worker that a busy machine starts late asks for its script when the page has settled.
          expect(count).toBe(except?.[name] ?? objects);
          expect(measuredMs).toBeLessThan(totalMs + noiseMs + 500);
        },
        limits: roomyLimits,
      });
    },
  );

  test.each(['elsewhere', 'elsewhere-late'])(
    '%s: a page that leads itself elsewhere counts from its first document, and settles (puppeteer/puppeteer#1094)',
    async (page) => {
      const snapshot = await takeSnapshot(session, `${pages.url}/${page}`);
      expect(snapshot).toMatchObject({
        settled: true,
        documents: [{ url: `${pages.url}/${page}` }, { url: `${pages.url}/landing` }],
      });
      const beganMs = page === 'elsewhere' ? 0 : 100;
      expect(valueOf(snapshot, 'baseMs')).toBeGreaterThan(beganMs);
      expect(valueOf(snapshot, 'totalMs')).toBeGreaterThan(beganMs + 200);
    },
  );

  test('hands-out: a page that has come and leads to a file stays, and settles (puppeteer/puppeteer#1094)', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/hands-out`);
    expect(snapshot).toMatchObject({ settled: true, frames: [{ url: `${pages.url}/hands-out` }] });
    expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
  });

  test('leads-to-none: a page that leads to an address that fails ends with that failure', async () => {
    const outcome = await visit(session, `${pages.url}/leads-to-none`);
    expect(outcome).toMatchObject({ status: 'failed', code: 'connection-reset' });
    // No extension may look into the browser's own page.
    expect(outcome.snapshot?.settled ?? true).toBe(true);
  });

  test('leads-to-mail: a page that has come and is led to another program stays, and settles', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/leads-to-mail`);
    expect(snapshot).toMatchObject({ settled: true, frames: [{ url: `${pages.url}/leads-to-mail` }] });
    expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
  });

  test('stops-itself: a page that stops itself while it comes is none that failed, and never settles', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/stops-itself`);
    expect(snapshot).toMatchObject({ settled: false, frames: [{ title: 'stops' }] });
    expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
  });

  test.each([
    ['goes-and-comes-back', 'goes-back'],
    ['goes-and-comes-back-late', 'goes-back-late'],
  ])('%s: a page that is shown again has loaded, and settles', async (page, next) => {
    const { settled, documents } = await takeSnapshot(session, `${pages.url}/${page}`);
    const paths = documents!.map(({ url }) => new URL(url).pathname.slice(1));
    expect({ settled, paths }).toEqual({ settled: true, paths: [page, next, page] });
  });

  test('reports-as-it-goes: what a page asks for as it goes ends with it', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/reports-as-it-goes`);
    expect(snapshot).toMatchObject({ settled: true, documents: [{}, { url: `${pages.url}/landing` }] });
    expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
  });

  test('frame-of-sound: a frame that is a sound settles, and counts once', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/frame-of-sound`);
    expect(snapshot.settled).toBe(true);
    expect(valueOf(snapshot, 'objectCount')).toBe(3);
    expect(valueOf(snapshot, 'totalMs')).toBeGreaterThan(299);
  });

  // Browsers report no such request to extensions.
  test.runIf(!name.startsWith('extension'))('an image that a service worker fails to answer is lost', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/worker-that-fails`);
    const lost = snapshot.requests.filter(({ url }) => url.endsWith('?fails'));
    expect(lost.map((request) => hasFailed(request))).toEqual([true]);
  });

  test.each(['to-blank', 'to-blob'])(
    '%s: a page that leads itself to what is no page of the web is refused at once (puppeteer/puppeteer#1094)',
    async (page) => {
      expect(await visit(session, `${pages.url}/${page}`)).toMatchObject({
        status: 'failed',
        code: 'unsupported-content',
      });
    },
  );

  test('a page that leaves around the moment of reading out is one page, or says that it left (puppeteer/puppeteer#12479)', async () => {
    const url = `${pages.url}/leaves-at-rest`;
    const outcome = await visit(session, url);
    if (outcome.status === 'failed') {
      expect(outcome.code).toBe('navigated-away');
      expect(outcome.detail).toContain(url);
      expect(outcome.detail).toContain(`${pages.url}/landing`);
      return;
    }
    const shown = outcome.snapshot.frames.find(({ path }) => path.length === 0)!.url;
    const documents = outcome.snapshot.documents!.map((document) => document.url);
    expect(shown).toBe(documents.at(-1));
    // Of both, it counts from the first.
    if (documents.length > 1) expect(valueOf(outcome.snapshot, 'baseMs')).toBeGreaterThan(560);
  });

  test('a style sheet that an instruction names blocks the first rendering (puppeteer/puppeteer#5542)', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/instructed`);
    expect(valueOf(snapshot, 'objectCount')).toBe(2);
    expect(valueOf(snapshot, 'viewportMs')).toBeGreaterThan(299);
  });

  test('a page that a service worker takes over counts from its first document (microsoft/playwright#15474)', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/taken-over`);
    expect(snapshot.documents).toHaveLength(2);
    // The worker has the image before it is installed.
    expect(valueOf(snapshot, 'baseMs')).toBeGreaterThan(300);
  });
});
