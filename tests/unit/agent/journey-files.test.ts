import { expect, test } from 'vitest';
import type { BrowserPage } from '#agent/engines/browser/browser-page.ts';
import { leadToPage } from '#agent/engines/browser/journey/lead-to-page.ts';
import { stayOnPage } from '#agent/engines/browser/journey/stay-on-page.ts';
import { visitPage } from '#agent/engines/browser/visit-page.ts';
import { NetworkRecorder } from '#agent/engines/firefox/firefox-recorder.ts';
import type { ActivityEvent } from '#core/agent/page-activity/activity-event.ts';
import type { JourneyLeg, NumberedStep } from '#core/evaluation/journey/journey.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import {
  answered,
  began,
  loaded,
  main,
  page as wholePage,
  came,
  ended,
  startEpochMs,
} from '../core/agent/support/play-activity.ts';
import { makeSnapshot } from '../core/metrics/support/snapshot-parts.ts';

// A step that gives a file, or nothing, instead of a page: what the engines for browsers say of it.

const asked = began('file', 30, { type: 'document' });
const given: ActivityEvent = {
  kind: 'file-given',
  url: 'http://origin.test/file',
  atEpochMs: startEpochMs + 60,
};
/** As the browsers report each. */
const navigations: Record<string, { events: ActivityEvent[]; leads: string }> = {
  'a file in Chrome': {
    events: [asked, answered('file', 40), ended('file', 41, 'net::ERR_ABORTED')],
    leads: 'journey-strayed',
  },
  'a file in Firefox': { events: [asked, answered('file', 40), ended('file', 50), given], leads: 'journey-strayed' },
  'a file in Firefox, named before its end': {
    events: [asked, answered('file', 40), given, ended('file', 70)],
    leads: 'journey-strayed',
  },
  'nothing in Chrome': {
    events: [asked, answered('file', 40, 204), ended('file', 41, 'net::ERR_ABORTED')],
    leads: 'empty-response',
  },
  'nothing in Firefox': { events: [asked, answered('file', 40, 204), ended('file', 41)], leads: 'empty-response' },
};
const cases = Object.entries(navigations).map(([what, { events, leads }]) => ({ what, events, leads }));

const signal = new AbortController().signal;
const click: NumberedStep = { number: 2, timeoutMs: 60, step: { type: 'click', selectors: [['#go']] } };
const legOf = (parts: Partial<JourneyLeg>): JourneyLeg => ({ number: 2, of: 2, lead: [], steps: [], ...parts });

/** A page on which a click, or an order to load, brings these events. */
function playPage(events: readonly ActivityEvent[]): BrowserPage {
  const recorder = new NetworkRecorder({ mainContextId: main, recordsHeaders: false });
  const act = () => {
    for (const event of structuredClone(events)) recorder.apply(event);
    return Promise.resolve();
  };
  return {
    recorder,
    lost: signal,
    film: null,
    mainThread: null,
    input: { click: act },
    navigate: act,
    ask: (expression: string) => Promise.resolve(expression.includes('findPoint') ? { x: 1, y: 1 } : {}),
    areFramesIdle: () => Promise.resolve(true),
    findMissedEvents: () => Promise.resolve(),
  } as unknown as BrowserPage;
}

test.for(cases)('a click that is to lead to a page, and gives $what', async ({ events, leads }) => {
  const led = leadToPage(playPage(events), legOf({ lead: [click] }), { signal, onNavigate: () => undefined });
  await expect(led).rejects.toMatchObject({ code: leads });
});

test.for(cases)('a click that is to stay, and gives $what: the page stays', async ({ events }) => {
  const snapshot = makeSnapshot();
  const page = playPage(events);
  page.recorder.forget();
  for (const event of structuredClone([...wholePage, loaded])) (page.recorder as NetworkRecorder).apply(event);
  const stayed = stayOnPage(page, {
    leg: legOf({ steps: [click, { ...click, number: 3 }] }),
    snapshot,
    pageLoad: { timeoutMs: 5000, quietMs: 10 },
  });
  await expect(stayed).resolves.toMatchObject({ requestedUrl: snapshot.requestedUrl });
});

test('a click that leads to a page: it has come with its document, not with an answer alone', async () => {
  const page = playPage([asked, answered('file', 40), came('file', 50)]);
  await leadToPage(page, legOf({ lead: [click] }), { signal, onNavigate: () => undefined });
  expect(page.recorder.documents).toHaveLength(1);
});

test('an address of a journey that gives a file in Firefox is no page, as the address of a Visit', async () => {
  const navigate: NumberedStep = {
    number: 2,
    timeoutMs: 60,
    step: { type: 'navigate', url: 'http://origin.test/file' },
  };
  const visited = visitPage(playPage(navigations['a file in Firefox']!.events), {
    url: 'http://origin.test/file',
    leg: legOf({ lead: [navigate] }),
    pageLoad: PageLoadSchema.parse({ quietMs: 50, timeoutMs: 5000 }),
    nowEpochMs: () => startEpochMs,
    signal,
  });
  await expect(visited).rejects.toMatchObject({ code: 'unsupported-content' });
});
