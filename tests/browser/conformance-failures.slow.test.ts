import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { failureKinds, findClosedUrl, type FailureKind } from './support/conformance-failures.ts';
import { visit } from './support/visit-for-snapshot.ts';

/** Long enough for a good page on a busy machine: what is to time out never answers at all. */
const pageLoad = { restMs: 0, quietMs: 100, timeoutMs: 6000 };

let origin: Origin;
let closedUrl: string;

beforeAll(async () => {
  origin = await startOrigin();
  closedUrl = await findClosedUrl();
});

afterAll(async () => {
  await origin.close();
});

describe.each(conformanceEngines)('the engine $name', ({ open }) => {
  let session: EngineSession;
  beforeAll(async () => {
    session = await open({ pageLoad });
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
  });

  test.each(failureKinds)('reports $name as $code', async (kind) => {
    if (kind.isProxyDown) {
      await using proxied = await open({ pageLoad, browser: { proxy: closedUrl } });
      expect(await fail(proxied, kind)).toMatchObject({ status: 'failed', code: kind.code });
      return;
    }
    const outcome = await fail(session, kind);
    expect(outcome, outcome.status === 'failed' ? outcome.detail : '').toMatchObject({
      status: 'failed',
      code: kind.code,
    });
  });

  test('visits a page like any other after all of them', async () => {
    expect(await visit(session, `${origin.httpUrl}/images/1`)).toMatchObject({
      status: 'ok',
      snapshot: { settled: true },
    });
  });
});

function fail(session: EngineSession, { address, isAborted }: FailureKind): Promise<VisitOutcome> {
  const abortion = new AbortController();
  const onNavigate = () => (isAborted ? abortion.abort() : undefined);
  return session.visit({ url: address({ origin, closedUrl }), signal: abortion.signal, onNavigate });
}
