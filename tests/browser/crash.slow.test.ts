import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { NewTokenSchema, SessionSchema, type TokenScopeSchema } from '#core/protocol/api/access.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { postJson, sendWith, type Send } from '../support/controller.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { awaitRun, RunUnreachableError } from './support/await-run.ts';
import { CliProcess } from '../support/cli-process.ts';
import { findChrome } from './support/find-chrome.ts';

const AnnouncementSchema = z.object({ url: z.string(), signInUrl: z.string().nullable() });
const RowSchema = z.object({
  visit_id: z.string(),
  block: z.number(),
  scenario: z.string(),
  user_agent: z.string(),
  url: z.string(),
  round_state: z.string(),
  status: z.string(),
});

it(
  'loses no acknowledged Visit and doubles none when Agent, Controller and PostgreSQL are killed in the middle of a Run, and the Run ends',
  { timeout: 300_000 },
  async () => {
    await using origin = await startOrigin();
    await using home = await makeTemporaryFolder();
    const environment = { HTTP_AE_HOME: home.path, HTTP_AE_CHROME: findChrome(), HOME: home.path };

    let up = new CliProcess(['up', '--port', '0', '--json'], environment);
    const { url, signInUrl } = AnnouncementSchema.parse(JSON.parse(await up.firstLine()));
    const agents: CliProcess[] = [];
    try {
      const anonymous: Send = (resource, init) => fetch(url + resource, init);
      const makeToken = await signIn(anonymous, signInUrl!);
      const send = sendWith(anonymous, { authorization: `Bearer ${await makeToken('api')}` });
      const agentEnvironment = { ...environment, HTTP_AE_CONTROLLER: url, HTTP_AE_TOKEN: await makeToken('agent') };
      const startAgent = () =>
        agents.push(new CliProcess(['agent', '--name', 'laptop', '--verbose'], agentEnvironment));
      startAgent();

      const runId = await startRun(send, origin.httpUrl);
      const inPassOf = (index: number) => (run: RunDetail) =>
        run.rounds.some(
          (round) =>
            round.index >= index &&
            round.state === 'running' &&
            round.passes.some((pass) => pass.visitsMade >= 1 && pass.visitsMade < pass.visitsExpected),
        );

      await awaitRun(send, runId, inPassOf(1));
      await agents.at(-1)!.kill('SIGKILL');
      startAgent();

      await awaitRun(send, runId, inPassOf(3));
      await up.kill('SIGKILL');
      up = new CliProcess(['up', '--port', new URL(url).port, '--json'], environment);
      await up.firstLine();

      await awaitRun(send, runId, inPassOf(5));
      process.kill(await postgresProcessId(home.path), 'SIGKILL');

      const run = await awaitEnd(send, runId);
      expect(run).toMatchObject({ state: 'completed', problem: null, roundsPlanned: 8, roundsCompleted: 8 });
      expect(run.rounds.filter(({ state }) => state === 'broken').length).toBeGreaterThanOrEqual(2);

      await agents.at(-1)!.kill('SIGTERM');
      expect(agents.at(-1)!.stderr).toContain('0 Visits wait in the spool');
      const rows = z.array(RowSchema).parse(await (await send(`/api/runs/${runId}/visits?format=json`)).json());
      const stored = rows.map((row) => row.visit_id);
      expect(new Set(stored).size).toBe(stored.length);

      const acknowledged = agents.flatMap(({ stderr }) =>
        [...stderr.matchAll(/Acknowledged visitIds=(\[.*?\])/g)].flatMap((match) =>
          z.array(z.string()).parse(JSON.parse(match[1]!)),
        ),
      );
      expect(acknowledged.length).toBeGreaterThanOrEqual(8 * 2 * 3);
      expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);

      const counted = rows.filter((row) => row.round_state === 'completed');
      expect(counted).toHaveLength(8 * 2 * 3);
      expect(new Set(counted.map((row) => `${row.block} ${row.scenario} ${row.user_agent} ${row.url}`)).size).toBe(
        8 * 2 * 3,
      );
      expect(new Set(counted.map((row) => row.status))).toEqual(new Set(['ok']));
    } finally {
      await Promise.all(agents.map((agent) => agent.kill('SIGTERM')));
      await up[Symbol.asyncDispose]();
    }
  },
);

async function signIn(
  anonymous: Send,
  signInUrl: string,
): Promise<(scope: z.infer<typeof TokenScopeSchema>) => Promise<string>> {
  const ticket = new URLSearchParams(new URL(signInUrl).hash.slice(1)).get('ticket');
  const response = await anonymous('/api/sign-in/ticket', postJson({ ticket }));
  const { csrfToken } = SessionSchema.parse(await response.json());
  const send = sendWith(anonymous, {
    cookie: response.headers.getSetCookie()[0]!.split(';')[0]!,
    'x-csrf-token': csrfToken,
  });
  return async (scope) =>
    NewTokenSchema.parse(await (await send('/api/tokens', postJson({ name: scope, scope }))).json()).token;
}

async function startRun(send: Send, originUrl: string): Promise<string> {
  const evaluation = {
    name: 'Crashes',
    urlLists: { pages: [`${originUrl}/images/{1,2,3}`] },
    userAgents: ['alice', 'bob'].map((name) => ({ name, host: 'laptop', urlList: 'pages' })),
    scenarios: [{ name: 'A', baseline: true }, { name: 'B' }],
    repetition: { rounds: 4, warmUp: false },
  };
  const { id } = StoredEvaluationSchema.parse(await (await send('/api/evaluations', postJson(evaluation))).json());
  return RunSummarySchema.parse(await (await send(`/api/evaluations/${id}/runs`, postJson({}))).json()).id;
}

/** Follows the Run to its end, through breaks of the stream. */
async function awaitEnd(send: Send, runId: string): Promise<RunDetail> {
  for (;;) {
    try {
      const run = await awaitRun(send, runId);
      if (run.endedAt !== null) return run;
    } catch (error) {
      // A TypeError is what fetch throws when the stream breaks off.
      if (!(error instanceof TypeError || error instanceof RunUnreachableError)) throw error;
    }
    await pause(500);
  }
}

async function postgresProcessId(home: string): Promise<number> {
  const file = await readFile(path.join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}
