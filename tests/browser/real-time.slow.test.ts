import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taskMarks } from '#core/evaluation/pages/page-mark.ts';
import { taskNames, techniques } from '#core/evaluation/pages/real-time-task.ts';
import { drawInstants } from '#testbed/origin/tasks/task.ts';
import { runTask, type PageTask } from '#testbed/origin/tasks/run-task.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { noIcon, servePages } from './support/serve-pages.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

const messages = 20;
const gapMs = 30;
const payloadBytes = 100;
const { signal } = new AbortController();

const engines = conformanceEngines.filter(({ hasViewport }) => hasViewport);

describe.each(engines)('the real-time web in $name', ({ name, open }) => {
  let origin: Origin;
  let session: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    origin = await startOrigin({});
    session = await open({ browser: { trustedKeys: [origin.trustedKey] }, urls: [origin.httpUrl] });
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await origin.close();
  });

  const tasks = name.startsWith('extension') ? (['chat'] as const) : taskNames;
  test.for(tasks.flatMap((task) => techniques.map((by) => ({ task, by }))))(
    '$task by $by: every message comes, and the page waits for the last',
    async ({ task, by }) => {
      for (const url of [origin.httpUrl, ...(task === 'chat' ? [origin.http2Url] : [])]) {
        const query = `by=${by}&messages=${messages}&gapMs=${gapMs}&payloadBytes=${payloadBytes}`;
        const snapshot = await takeSnapshot(session, `${url}/task/${task}?${query}`, { untilMark: taskMarks.end });
        expect(snapshot.settled).toBe(true);
        expect(valueOf(snapshot, 'messageCount')).toBe(messages);
        expect(valueOf(snapshot, 'lostMessageCount')).toBe(0);
        expect(valueOf(snapshot, 'lateMessageCount')).toBeLessThanOrEqual(messages);
        expect(valueOf(snapshot, 'taskMs')).toBeGreaterThan(drawInstants({ messages, gapMs }).at(-1)!);
        expect(valueOf(snapshot, 'messageBytes')).toBeGreaterThan(payloadBytes);
        // Within the page's clock and that of the origin, which is the same.
        expect(valueOf(snapshot, 'messageMedianMs')).toBeGreaterThan(-20);
        expect(valueOf(snapshot, 'messageMaxMs')).toBeGreaterThanOrEqual(valueOf(snapshot, 'message95Ms'));
        // What the task fetches is no part of the page.
        expect(valueOf(snapshot, 'objectCount')).toBe(1);
      }
    },
  );

  test('a page of one’s own ends its Visit by a mark, or fails it', async () => {
    await using server = await servePages({
      '/done': `${noIcon}<script>setTimeout(() => performance.mark('all done'), 1200)</script>`,
      '/wrong': `${noIcon}<script>performance.mark('http-ae-failed', { detail: 'no seat is left' })</script>`,
    });
    const done = await session.visit({ url: `${server.url}/done`, untilMark: 'all done', signal });
    expect(done.status).toBe('ok');
    const taskMs = valueOf(done.snapshot!, 'taskMs');
    expect(taskMs).toBeGreaterThanOrEqual(1199);
    expect(taskMs).toBeLessThan(done.snapshot!.takenEpochMs - done.snapshot!.frames[0]!.timeOrigin);
    const wrong = await session.visit({ url: `${server.url}/wrong`, untilMark: 'all done', signal });
    expect(wrong).toMatchObject({ status: 'failed', code: 'task-failed', detail: 'no seat is left' });
    const missing = await session.visit({ url: `${server.url}/missing`, untilMark: 'all done', signal });
    expect(missing).toMatchObject({ status: 'failed', code: 'http-client-error' });
  });

  // The script of the page sees it, in any engine.
  test.runIf(name === 'chrome').for(techniques)('what refuses %s fails the Visit', async (by) => {
    const task: PageTask = {
      ...{ task: 'chat', by, messages: 2, payloadBytes: 10, gapMs: 10, lateAfterMs: 1000 },
      ...{ path: '/nowhere', instantsMs: [0, 10], marks: taskMarks },
    };
    await using server = await servePages({
      '/page': `${noIcon}<script>(${runTask.toString()})(${JSON.stringify(task)})</script>`,
    });
    const outcome = await session.visit({ url: `${server.url}/page`, untilMark: taskMarks.end, signal });
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'task-failed',
      detail: expect.stringMatching(/refused|404/) as unknown,
    });
  });

  test.runIf(name !== 'extension-firefox')('a task that does not end fails its Visit at the hard cap', async () => {
    await using hasty = await open({ pageLoad: { timeoutMs: 3000 } });
    const url = `${origin.httpUrl}/task/server-update?by=sse&messages=2&gapMs=60000`;
    const outcome = await hasty.visit({ url, untilMark: taskMarks.end, signal });
    expect(outcome).toMatchObject({ status: 'failed', code: 'task-not-ended', snapshot: { settled: false } });
  });
});

test('a task of which no message comes has lasted until it gave up', { timeout: 120_000 }, async () => {
  await using session = await engines[0]!.open({ pageLoad: { timeoutMs: 60_000 } });
  const task: PageTask = {
    ...{ task: 'chat', by: 'sse', messages: 1, payloadBytes: 10, gapMs: 10, lateAfterMs: 1000 },
    ...{ path: '/held', instantsMs: [0], marks: taskMarks },
  };
  // As a proxy that holds a stream back.
  await using server = await servePages({
    '/page': `${noIcon}<script>(${runTask.toString()})(${JSON.stringify(task)})</script>`,
    '/held/events': (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n'),
    '/held/send': (response) => response.writeHead(204).end(),
    '/held/bytes': '{"bytes":100}',
  });
  const { snapshot } = await session.visit({ url: `${server.url}/page`, untilMark: taskMarks.end, signal });
  expect(valueOf(snapshot!, 'lostMessageCount')).toBe(1);
  expect(valueOf(snapshot!, 'taskMs')).toBeGreaterThan(29_000);
});
