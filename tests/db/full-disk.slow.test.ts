import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { expect, test } from 'vitest';
import { runAgent } from '#agent/run-agent.ts';
import { launcher } from '#cli/installation.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { startEmbeddedPostgres } from '#controller/database/embedded/start-embedded-postgres.ts';
import { startController } from '#controller/start-controller.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { postJson, sendWith } from '#tests/support/controller.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { awaitRun } from '../browser/support/await-run.ts';

const log = pino({ level: 'silent' });
const signal = AbortSignal.timeout(110_000);

/** Writes until the disk takes no more. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (const size of [1024 * 1024, 4096]) {
      const piece = Buffer.alloc(size);
      try {
        while (true) await handle.write(piece);
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
    }
  } finally {
    await handle.close();
  }
}

async function shorten(file: string, bytes: number): Promise<void> {
  await truncate(file, (await stat(file)).size - bytes);
}

/** Only root mounts a disk of its own. */
test.runIf(process.getuid?.() === 0).each([
  { disk: 'a full disk', freeBytes: 0 },
  // What is under way can still be stored, but no other Round begins.
  { disk: 'a nearly full disk', freeBytes: 40 * 1024 ** 2 },
])(
  '$disk is reported, the Run waits for room without using up an attempt, and completes when there is some',
  async ({ freeBytes }) => {
    await using resources = new AsyncDisposableStack();
    const disk = resources.use(await makeTemporaryFolder());
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk.path]);
    resources.defer(() => void execFileSync('umount', ['--lazy', disk.path]));
    const filler = path.join(disk.path, 'filler');
    const databaseFolder = path.join(disk.path, 'postgres');

    let loads = 0;
    const filled = Promise.withResolvers<void>();
    const origin = createServer((_request, response) => {
      const answer = () => response.setHeader('content-type', 'text/html').end('<!doctype html><title>Page</title>');
      loads += 1;
      if (loads === 2) {
        filled.resolve(fill(filler).then(() => shorten(filler, freeBytes)));
        void filled.promise.then(answer);
      } else answer();
    }).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    resources.defer(() => void origin.close());

    const postgres = resources.use(await startEmbeddedPostgres({ folder: databaseFolder, log, signal }));
    const controller = resources.use(
      await startController({
        databaseUrl: postgres.databaseUrl,
        databaseFolder,
        host: '127.0.0.1',
        port: 0,
        webUiFolder: null,
        artefactsFolder: path.join(disk.path, 'artefacts'),
        log,
        signal,
      }),
    );
    const agentFolder = resources.use(await makeTemporaryFolder());
    const stopping = new AbortController();
    const { token: agentToken } = await issueToken(controller.pool, { name: 'laptop', scope: 'agent' });
    const over = runAgent({
      controllerUrl: controller.url,
      token: agentToken,
      name: 'laptop',
      allowScripts: false,
      chromePath: null,
      homeFolder: agentFolder.path,
      agentVersion: 'test',
      launcher,
      log,
      signal: stopping.signal,
    });
    resources.defer(async () => {
      stopping.abort();
      await over;
    });

    const { token } = await issueToken(controller.pool, { name: 'test', scope: 'api' });
    const send = sendWith((address, init) => fetch(controller.url + address, init), {
      authorization: `Bearer ${token}`,
    });
    const evaluation = {
      name: 'Full disk',
      urlLists: { pages: [`http://127.0.0.1:${(origin.address() as AddressInfo).port}/`] },
      userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
      scenarios: [{ name: 'plain', baseline: true }],
      pageLoad: { restMs: 0, quietMs: 50 },
      repetition: { rounds: 4, warmUp: false, attempts: 1 },
    };
    const stored = (await (await send('/api/evaluations', postJson(evaluation))).json()) as { id: string };
    const { id: runId } = (await (await send(`/api/evaluations/${stored.id}/runs`, postJson({}))).json()) as {
      id: string;
    };

    const waiting = await awaitRun(send, runId, ({ diskProblem }) => diskProblem !== null);
    expect(waiting.diskProblem).toMatch(
      new RegExp(`^The disk of ${disk.path}/\\w+ is full: less than 64 MiB are free\\. Free space on it$`),
    );
    expect(waiting.state).toBe('running');
    const health = await send('/api/health');
    expect([health.status, ProblemSchema.parse(await health.json())]).toMatchObject([
      507,
      { code: 'disk-full', message: waiting.diskProblem },
    ]);

    expect((await send('/readyz')).status).toBe(507);

    if (freeBytes > 0) {
      await expect.poll(async () => (await awaitRun(send, runId, () => true)).roundsCompleted).toBe(2);
      await sleep(3000);
      expect((await awaitRun(send, runId, () => true)).rounds).toHaveLength(2);
    }

    await filled.promise;
    await rm(filler);
    const ended = await awaitRun(send, runId);
    expect(ended).toMatchObject({
      state: 'completed',
      problem: null,
      diskProblem: null,
      roundsCompleted: 4,
      visits: 4,
    });
    expect((await send('/api/health')).status).toBe(200);
  },
);
