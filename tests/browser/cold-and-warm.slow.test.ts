import { expect, test } from 'vitest';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController } from '#tests/support/controller.ts';
import { awaitRun } from './support/await-run.ts';
import { joinAgent } from './support/join-real-agent.ts';
import { openSession } from './support/open-session.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

test('a cold Visit opens every connection again, with a full TLS handshake, and caches nothing from the Visit before', async () => {
  await using origin = await startOrigin();
  await using session = await openSession({ browser: { trustedKeys: [origin.trustedKey] } });
  for (const visitId of ['first', 'second', 'third']) {
    const before = new Set(origin.truth.connections().map((connection) => connection.id));
    await takeSnapshot(session, `${origin.httpsUrl}/images/10?visit=${visitId}`);

    const requests = origin.truth.requests(visitId);
    expect(requests).toHaveLength(11);
    expect(requests.filter((request) => before.has(request.connectionId))).toEqual([]);
    // The other connections of the Visit resume the session of this one, as a user's would.
    expect(requests.find((request) => request.counts === 'base')?.tls?.isSessionReused).toBe(false);
  }
});

test('a warm Visit keeps connections and cache of the Visit before it', async () => {
  await using origin = await startOrigin();
  await using session = await openSession({
    pageLoad: { cache: 'warm', restMs: 0 },
    browser: { trustedKeys: [origin.trustedKey] },
  });
  const url = `${origin.http2Url}/images/10?visit=warm`;
  const cold = await takeSnapshot(session, url);
  origin.truth.clear();
  const warm = await takeSnapshot(session, url);

  expect(valueOf(warm, 'objectCount')).toBe(valueOf(cold, 'objectCount'));
  expect(warm.requests.filter((request) => request.url.includes('.jpg')).map((request) => request.fromCache)).toEqual(
    Array<boolean>(10).fill(true),
  );
  expect(origin.truth.requests('warm').filter((request) => request.path.includes('.jpg'))).toEqual([]);
  expect(valueOf(warm, 'connectMs')).toBe(0);
});

test('a Scenario with a warm cache beside a cold one: only its Visits ask for the page alone', async () => {
  await using origin = await startOrigin();
  await using resources = new AsyncDisposableStack();
  const test = resources.use(await startTestController());
  resources.use(await joinAgent(test.controller));
  const evaluation = {
    name: 'Cold or warm',
    urlLists: { pages: [`${origin.httpUrl}/images/10?visit=run`] },
    userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
    scenarios: [
      { name: 'cold', baseline: true },
      { name: 'warm', browser: { cache: 'warm' } },
    ],
    pageLoad: { restMs: 0 },
    repetition: { rounds: 2, warmUp: false },
  };
  const stored = StoredEvaluationSchema.parse(
    await (await test.program('/api/evaluations', postJson(evaluation))).json(),
  );
  const started = await test.program(`/api/evaluations/${stored.id}/runs`, postJson({}));
  const run = await awaitRun(test.program, RunSummarySchema.parse(await started.json()).id);
  expect(run).toMatchObject({ state: 'completed', failedVisits: 0 });
  // A cold Visit in each Block, and a first load of the warm Pass.
  expect(origin.truth.requests('run').filter((request) => request.path.includes('.jpg'))).toHaveLength(2 * (10 + 10));
  expect(origin.truth.requests('run').filter((request) => request.counts === 'base')).toHaveLength(2 * (1 + 2));
});
