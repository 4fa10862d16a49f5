import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { CliProcess } from '../support/cli-process.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { startHttpProxy, type TestProxy } from '../support/proxies/http-proxy.ts';
import { keyToReplace, readExample } from '../support/read-example.ts';
import { readHttpVersions } from '../support/read-http-versions.ts';
import { startTcpRelay } from '../support/tcp-relay.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { awaitRun } from './support/await-run.ts';
import { joinAgent } from './support/join-real-agent.ts';

let stack: AsyncDisposableStack;
let origin: Origin;
let it: TestController;
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  origin = stack.use(await startOrigin());
  it = stack.use(await startTestController());
  stack.use(await joinAgent(it.controller, { name: 'laptop' }));
});
afterAll(() => stack.disposeAsync());

async function run(evaluation: Evaluation): Promise<RunDetail> {
  const { id } = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(evaluation))).json(),
  );
  const started = RunSummarySchema.parse(await (await it.program(`/api/evaluations/${id}/runs`, postJson({}))).json());
  return awaitRun(it.program, started.id);
}

/** The origin as the examples say to start it, but for its ports. */
async function startOriginCommand(home: string) {
  const command = new CliProcess(['origin', '--json', '--port', '0', '--tls-port', '0'], {
    HTTP_AE_HOME: home,
    HOME: home,
  });
  return {
    command,
    ...z.object({ http2Url: z.string(), trustedKey: z.string() }).parse(JSON.parse(await command.firstLine())),
  };
}

test(
  'HTTP/2 against HTTP/1.1: the key is trusted, though the origin was started again, and each Scenario has its protocol',
  { timeout: 400_000 },
  async () => {
    await using home = await makeTemporaryFolder();
    const first = await startOriginCommand(home.path);
    await first.command.kill('SIGTERM');
    await using again = (await startOriginCommand(home.path)).command;
    const { http2Url } = z.object({ http2Url: z.string() }).parse(JSON.parse(await again.firstLine()));
    const example = readExample('http2-against-http1.yaml', {
      'https://127.0.0.1:8443': http2Url,
      [keyToReplace]: first.trustedKey,
    });
    const result = await run(example);
    expectCompleted(result, { visits: 2 * 2 * 6, failedVisits: 0 });
    expect(await readHttpVersions(it.controller.pool, result.id)).toEqual(
      new Map([
        ['HTTP/1.1', ['http/1.1']],
        ['HTTP/2', ['h2']],
      ]),
    );
  },
);

/** A `systemctl` for the Agent's scripts: it starts and stops a proxy of this test, at a port that stays the same. */
async function provideSquid() {
  await using opening = new AsyncDisposableStack();
  const nowhere = 1;
  const relay = opening.use(await startTcpRelay(nowhere));
  const asked: string[] = [];
  const commands: string[] = [];
  let proxy: TestProxy | null = null;
  const stop = async () => {
    relay.moveTo(nowhere);
    asked.push(...(proxy?.asked ?? []));
    await proxy?.[Symbol.asyncDispose]();
    proxy = null;
  };
  opening.defer(stop);
  const orders = createServer((request, response) => {
    commands.push(request.url!);
    const obey = async () => {
      if (request.url !== '/start/squid') return stop();
      proxy = await startHttpProxy();
      relay.moveTo(Number(new URL(proxy.url).port));
    };
    obey().then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await once(orders.listen(0, '127.0.0.1'), 'listening');
  opening.defer(async () => {
    orders.close();
    orders.closeAllConnections();
    await once(orders, 'close');
  });
  const folder = opening.use(await makeTemporaryFolder());
  const ask = `fetch('http://127.0.0.1:${(orders.address() as AddressInfo).port}/' + process.argv.slice(2).join('/')).then(({ ok }) => { if (!ok) process.exit(1); });\n`;
  await writeFile(path.join(folder.path, 'systemctl'), `#!${process.execPath}\n${ask}`, { mode: 0o755 });
  const before = process.env.PATH;
  process.env.PATH = `${folder.path}:${before ?? ''}`;
  opening.defer(() => {
    process.env.PATH = before;
  });
  const owned = opening.move();
  return { address: `127.0.0.1:${relay.port}`, asked, commands, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test(
  'Proxy against direct: the scripts start and stop the proxy, and its Scenario alone goes through it',
  { timeout: 400_000 },
  async () => {
    await using squid = await provideSquid();
    stack.use(await joinAgent(it.controller, { name: 'gateway', allowScripts: true }));
    const example = readExample('proxy-with-scripts.yaml', {
      'http://origin.example:8080': origin.httpUrl,
      'gateway.example:3128': squid.address,
    });
    origin.truth.clear();
    const result = await run(example);
    expectCompleted(result, { visits: 2 * 2 * 2, failedVisits: 0 });
    expect(result.scripts.map(({ phase, host, exitCode }) => `${phase} ${host} ${exitCode}`)).toEqual([
      'set-up gateway 0',
      'tear-down gateway 0',
    ]);
    expect(squid.commands).toEqual(['/start/squid', '/stop/squid']);
    const requests = origin.truth.requests().length;
    expect(squid.asked.filter((host) => host === new URL(origin.httpUrl).host)).toHaveLength(requests / 2);
  },
);

test(
  'A sign-in and a click path: each navigation of the journey is a Visit, in its order, and the report pairs them',
  { timeout: 400_000 },
  async () => {
    const example = readExample('sign-in-journey.yaml', { 'http://127.0.0.1:8080': origin.httpUrl });
    const result = await run(example);
    // The warm Scenario makes the journey once unmeasured.
    expectCompleted(result, { visits: 3 + 2 * 3, failedVisits: 0 });
    const response = await it.program(`/api/runs/${result.id}/comparison`);
    const { metrics } = z
      .object({ metrics: z.array(z.object({ cells: z.array(z.object({ url: z.string(), label: z.string() })) })) })
      .parse(await response.json());
    expect([...new Set(metrics[0]!.cells.map(({ label }) => label))]).toEqual([
      'Account 1: Sign in',
      'Account 2: Account',
      'Account 3: Orders',
    ]);
  },
);
