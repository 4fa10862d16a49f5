import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { TakenScreenshot } from '#agent/engines/engine.ts';
import { buildHar } from '#controller/visits/build-har.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { findHarFaults } from '#tests/support/har/find-har-faults.ts';
import { openFirefoxSession } from './support/open-session.ts';

test('Firefox reports phases and headers for the HAR, and takes a screenshot', async () => {
  await using origin = await startOrigin();
  await using session = await openFirefoxSession({
    pageLoad: { restMs: 0, quietMs: 100 },
    browser: { trustedKeys: [origin.trustedKey], userAgentString: 'Palm/1.0' },
    recordsHeaders: true,
  });
  const taken: TakenScreenshot[] = [];
  const outcome = await session.visit({
    url: `${origin.httpsUrl}/images/3`,
    signal: new AbortController().signal,
    onScreenshot: (screenshot) => void taken.push(screenshot),
  });
  if (outcome.status === 'failed') throw new Error(outcome.detail);

  const visit = { id: '5c7e0d9e-8b1f-4a55-9a3e-111111111111', description: 'A test', clockOffsetMs: 0 };
  const har = buildHar(outcome.snapshot, { visit, creatorVersion: '1.0' });
  expect(findHarFaults(har)).toEqual([]);
  const base = har.log.entries[0]!;
  expect(base).toMatchObject({
    request: { method: 'GET' },
    response: { status: 200, statusText: 'OK', content: { mimeType: expect.stringMatching('text/html') as string } },
  });
  expect(base.request.headers).toContainEqual({ name: 'user-agent', value: 'Palm/1.0' });
  expect(base.timings.ssl).toBeGreaterThan(0);
  expect(base.timings.connect).toBeGreaterThanOrEqual(base.timings.ssl);

  const [screenshot] = taken;
  if (screenshot?.kind !== 'taken') throw new Error(`There is no screenshot: ${JSON.stringify(taken)}`);
  expect(await sharp(screenshot.jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 1366, height: 768 });
});
