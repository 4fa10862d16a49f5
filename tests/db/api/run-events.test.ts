import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { RunDetailSchema, applyRunChange, RunChangeSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { postJson, startTestController } from '../../support/controller.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

/** The documents of a stream of events, until it ends. */
async function* readEvents(response: Response): AsyncGenerator<RunDetail> {
  for await (const document of readDocuments(response)) yield RunDetailSchema.parse(document);
}

/** The same, unchecked: a large one takes a while to check. */
async function* readDocuments(response: Response): AsyncGenerator {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
  }
}

test('a Run is requested, watched while it waits for its Agents, stopped, and watched to its end', async () => {
  const evaluation = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(makeEvaluation()))).json(),
  );
  const requested = await it.program(`/api/evaluations/${evaluation.id}/runs`, postJson({ seed: 7 }));
  expect(requested.status).toBe(201);
  const { id } = RunSummarySchema.parse(await requested.json());

  const events = await it.program(`/api/runs/${id}/events`);
  expect(events.headers.get('content-type')).toBe('text/event-stream');
  const states: string[] = [];
  for await (const detail of readEvents(events)) {
    states.push(detail.state);
    expect(detail).toMatchObject({ id, seed: 7, evaluationName: 'Proxy or not' });
    if (detail.state === 'running' && states.filter((state) => state === 'running').length === 1) {
      expect(detail.missingAgents).toEqual(['laptop']);
      expect(detail.plan).toHaveLength(6);
      expect((await it.program(`/api/runs/${id}/stop`, { method: 'POST' })).status).toBe(200);
    }
  }
  expect(states.at(-1)).toBe('stopped');
  const readCount = async () => {
    const text = await (await it.program('/metrics')).text();
    return Number(
      /^http_ae_http_request_duration_seconds_count\{method="GET",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0,
    );
  };
  const before = await readCount();
  expect(await (await it.program(`/api/runs/${id}/events`)).text()).toContain('data: ');
  expect((await it.program(`/api/runs/${id}/contents`)).status).toBe(200);
  expect(await readCount()).toBe(before + 1);
  expect(RunDetailSchema.parse(await (await it.program(`/api/runs/${id}`)).json())).toMatchObject({
    state: 'stopped',
    missingAgents: [],
  });
});

test('a stream of events ends when who reads it is signed out, and the Run continues', async () => {
  const evaluation = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(makeEvaluation()))).json(),
  );
  const { id } = RunSummarySchema.parse(
    await (await it.program(`/api/evaluations/${evaluation.id}/runs`, { method: 'POST' })).json(),
  );
  const { browser } = await it.signIn('viewer');
  for await (const { state } of readEvents(await browser(`/api/runs/${id}/events`))) {
    if (state !== 'running') continue;
    expect((await browser('/api/sign-out', { method: 'POST' })).ok).toBe(true);
    // Who reads is asked for with each news: without a change it would come within seconds.
    expect((await it.program(`/api/runs/${id}/pause`, { method: 'POST' })).ok).toBe(true);
  }
  expect(RunDetailSchema.parse(await (await it.program(`/api/runs/${id}`)).json())).toMatchObject({ state: 'running' });
  expect((await it.program(`/api/runs/${id}/stop`, { method: 'POST' })).status).toBe(200);
});

test('who follows a Run by its changes gets what differs, and has it as it is', async () => {
  const evaluation = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(makeEvaluation()))).json(),
  );
  const { id } = RunSummarySchema.parse(
    await (await it.program(`/api/evaluations/${evaluation.id}/runs`, { method: 'POST' })).json(),
  );
  let run: RunDetail | null = null;
  let [documents, changes] = [0, 0];
  const response = await it.program(`/api/runs/${id}/events?passes=current&changes=yes`);
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) {
      const data: unknown = JSON.parse(/^data: (.*)$/m.exec(event)![1]!);
      if (event.startsWith('event: change')) {
        changes++;
        expect(data).not.toHaveProperty('run.evaluation');
        run = applyRunChange(run!, RunChangeSchema.parse(data));
      } else {
        documents++;
        run = RunDetailSchema.parse(data);
      }
      if (run.state === 'running' && run.pausedAt === null)
        expect((await it.program(`/api/runs/${id}/pause`, { method: 'POST' })).status).toBe(200);
      else if (run.state === 'running')
        expect((await it.program(`/api/runs/${id}/stop`, { method: 'POST' })).status).toBe(200);
    }
  }
  expect(documents).toBe(1);
  expect(changes).toBeGreaterThan(1);
  // Its outcome is found after its end, perhaps after the last event.
  const later = RunDetailSchema.parse(await (await it.program(`/api/runs/${id}?passes=current`)).json());
  expect({ ...run!, outcome: null }).toEqual({ ...later, outcome: null });
});

test('nothing is kept for a reader of events who sleeps: who wakes up gets the end, and little of what came before', async () => {
  // Some 1.4 MB of plan, so that the buffers of the operating system hold a few documents and not all.
  const scenarios = Array.from({ length: 10 }, (_, index) => ({
    name: `Scenario ${index} ${'x'.repeat(60)}`,
    baseline: index === 0,
  }));
  const evaluation = StoredEvaluationSchema.parse(
    await (
      await it.program('/api/evaluations', postJson({ ...makeEvaluation(), scenarios, repetition: { rounds: 1000 } }))
    ).json(),
  );
  const { id } = RunSummarySchema.parse(
    await (await it.program(`/api/evaluations/${evaluation.id}/runs`, { method: 'POST' })).json(),
  );
  const sleeping = await it.program(`/api/runs/${id}/events`);
  const watching = readDocuments(await it.program(`/api/runs/${id}/events`));
  const isNextPaused = async () => ((await watching.next()).value as RunDetail).pausedAt !== null;
  const changes = 16;
  for (let change = 0; change < changes; change++) {
    const isPaused = change % 2 === 0;
    expect((await it.program(`/api/runs/${id}/${isPaused ? 'pause' : 'resume'}`, { method: 'POST' })).ok).toBe(true);
    while ((await isNextPaused()) !== isPaused);
  }
  expect((await it.program(`/api/runs/${id}/stop`, { method: 'POST' })).ok).toBe(true);
  await watching.return(undefined);

  const details: unknown[] = [];
  for await (const detail of readDocuments(sleeping)) details.push(detail);
  expect(details.at(-1)).toMatchObject({ state: 'stopped' });
  expect(details.length).toBeLessThan(changes / 2);
});

test('HEAD of the events of a Run is answered at once, though the Run goes on', async () => {
  const evaluation = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(makeEvaluation()))).json(),
  );
  const { id } = RunSummarySchema.parse(
    await (await it.program(`/api/evaluations/${evaluation.id}/runs`, { method: 'POST' })).json(),
  );
  const socket = connect(Number(new URL(it.controller.localUrl).port), '127.0.0.1');
  const { token } = await issueToken(it.controller.pool, { name: 'of a proxy', scope: 'api' });
  // The second is answered once the first is over.
  for (const path of ['/events', ''])
    socket.write(`HEAD /api/runs/${id}${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  let text = '';
  for await (const bytes of socket) if ((text += String(bytes)).match(/^HTTP\/1\.1 /gm)?.length === 2) break;
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*content-type: text\/event-stream/i);
  expect((await it.program(`/api/runs/${id}/stop`, { method: 'POST' })).status).toBe(200);
});
