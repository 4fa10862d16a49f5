import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { awaitRun } from './support/await-run.ts';
import { joinExtension, type JoinedExtension } from './support/join-extension.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';

let controller: TestController;
let extension: JoinedExtension;
let pages: PageServer;

beforeAll(async () => {
  controller = await startTestController();
  extension = await joinExtension(controller.controller, { target: 'chrome', name: 'laptop' });
  pages = await servePages({
    '/good': `${noIcon}<title>Good</title>Good`,
    '/closes': `${noIcon}<script>window.close()</script>`,
    '/opens': `${noIcon}<script>window.open('/good')</script>Opens`,
    '/moves': `${noIcon}<script>location.replace('/good')</script>`,
    '/download': (response) =>
      response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }).end('zip'),
    '/password': (response) =>
      response
        .writeHead(401, { 'www-authenticate': 'Basic realm="test"', 'content-type': 'text/html' })
        .end('Who are you?'),
    '/forever': (response) => response.writeHead(302, { location: '/forever' }).end(),
    '/broken': `${noIcon}<table><div><!-- <p `,
  });
});

afterAll(async () => {
  await extension[Symbol.asyncDispose]();
  await controller[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

test('with any behaviour of a page, its Visit has an outcome, the next one is clean, and no window, file or tab of it is left', async () => {
  const before = await countPages();
  const bad = ['/closes', '/opens', '/moves', '/download', '/password', '/forever', '/broken'];
  const run = await execute({ urls: bad.flatMap((path) => [path, `/good?after=${path.slice(1)}`]) });

  expect(run).toMatchObject({ state: 'completed', problem: null });
  const visits = await readVisits(run.id);
  const codeOf = (path: string) => visits.find(({ url }) => url === pages.url + path)?.code;
  expect(Object.fromEntries(bad.map((path) => [path, codeOf(path)]))).toEqual({
    // The browser lets no page close a window that it did not open.
    '/closes': null,
    '/opens': null,
    '/moves': null,
    '/download': 'unsupported-content',
    '/password': 'http-client-error',
    '/forever': 'redirect-loop',
    '/broken': null,
  });
  expect(visits.filter(({ url, code, is_settled }) => url.includes('/good') && (code !== null || !is_settled))).toEqual(
    [],
  );
  expect(await countPages()).toBe(before);
});

test('a Pass that it cannot make breaks the Round with the reason', async () => {
  const run = await execute({ urls: ['/good'], userAgent: { osUser: 'nobody' } });
  expect(run).toMatchObject({ state: 'failed' });
  expect(run.problem).toContain('a browser extension runs as the user of its browser');
});

async function execute({ urls, userAgent = {} }: { urls: string[]; userAgent?: object }): Promise<RunDetail> {
  const stored = await controller.program(
    '/api/evaluations',
    postJson({
      name: 'Extension',
      urlLists: { pages: urls.map((url) => pages.url + url) },
      userAgents: [{ name: 'ann', host: 'laptop', engine: 'extension', urlList: 'pages', ...userAgent }],
      scenarios: [{ name: 'one', baseline: true }],
      pageLoad: { restMs: 0, quietMs: 100, timeoutMs: 60_000 },
      repetition: { rounds: 1, warmUp: false, attempts: 1 },
      capture: { enabled: false },
    }),
  );
  expect(stored.status, await stored.clone().text()).toBe(201);
  const { id } = StoredEvaluationSchema.parse(await stored.json());
  const response = await controller.program(`/api/evaluations/${id}/runs`, postJson({}));
  return awaitRun(controller.program, RunSummarySchema.parse(await response.json()).id);
}

async function readVisits(runId: string): Promise<{ url: string; code: string | null; is_settled: boolean | null }[]> {
  const { rows } = await controller.controller.pool.query(
    'select visit.url, visit.code, visit.is_settled from visit join pass on pass.id = pass_id join round on round.id = round_id where run_id = $1',
    [runId],
  );
  return z
    .array(z.object({ url: z.string(), code: z.string().nullable(), is_settled: z.boolean().nullable() }))
    .parse(rows);
}

async function countPages(): Promise<number> {
  const session = await extension.current.browser!.target().createCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'page' }] });
  return targetInfos.length;
}
