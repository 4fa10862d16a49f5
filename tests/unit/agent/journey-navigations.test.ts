import { describe, expect, test } from 'vitest';
import { explainStraying, leaveOutPageBefore } from '#agent/engines/browser/visit-page.ts';
import type { JourneyLeg } from '#core/evaluation/journey/journey.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { makeFrame, makeRequest, makeResource, makeSnapshot, pageUrl } from '../core/metrics/support/snapshot-parts.ts';

// /work/shared/review/truth.md, N4 and N5: journeys.
const document = (parts: Partial<NetworkRequest> & { startMs?: number } = {}) =>
  makeRequest({ url: pageUrl, id: 'page', type: 'document', isMainDocument: true, startMs: 100, ...parts });

describe('what a step asked for on the page before', () => {
  const image = `${pageUrl}image.png`;
  const frames = [makeFrame({ resources: [makeResource({ name: image, startTime: 700 })] })];

  test('is no part of the page that it led to, before its request and until its answer', () => {
    const requests = [
      makeRequest({ url: `${pageUrl}track`, id: 'a', type: 'fetch', startMs: 20 }),
      document(),
      makeRequest({ url: `${pageUrl}poll`, id: 'b', type: 'fetch', startMs: 110, initiatorUrl: `${pageUrl}before` }),
      makeRequest({ url: image, id: 'c', startMs: 700 }),
    ];
    expect(leaveOutPageBefore(requests, frames).map(({ id }) => id)).toEqual(['page', 'c']);
  });

  test('does not take away an early hint, which comes before the answer and has an entry', () => {
    const requests = [document(), makeRequest({ url: image, id: 'hint', startMs: 101 })];
    expect(leaveOutPageBefore(requests, frames)).toEqual(requests);
  });
});

describe('a page that a step led to', () => {
  const legTo = (url: string | undefined): JourneyLeg => ({
    number: 2,
    of: 2,
    lead: [
      {
        number: 2,
        timeoutMs: 5000,
        step: { type: 'click', selectors: [['#go']], assertedEvents: [{ type: 'navigation', ...(url && { url }) }] },
      },
    ],
    steps: [],
  });
  const snapshot = makeSnapshot({ requests: [document()] });

  test('strays where it has another address than in the recording, and both are named', () => {
    expect(explainStraying(legTo(`${pageUrl}other?a=1`), snapshot)).toEqual({
      code: 'journey-strayed',
      detail: expect.stringMatching(new RegExp(`led to ${pageUrl}, and not to ${pageUrl}other\\?a=1`)) as string,
    });
  });

  test('does not for a fragment, for an address that it wrote itself, or where none was recorded', () => {
    expect(explainStraying(legTo(`${pageUrl}#part`), snapshot)).toBeNull();
    expect(explainStraying(legTo(undefined), snapshot)).toBeNull();
    const rewritten = makeSnapshot({ frames: [makeFrame({ url: `${pageUrl}clean` })], requests: [document()] });
    expect(explainStraying(legTo(`${pageUrl}clean`), rewritten)).toBeNull();
    expect(explainStraying(legTo(pageUrl), rewritten)).toBeNull();
  });
});
