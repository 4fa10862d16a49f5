import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ControllerClient } from '#cli/controller/controller-client.ts';
import { watchRun, readEventData } from '#cli/progress/follow-run.ts';
import type { RunState } from '#core/protocol/api/run-summary.ts';
import { sampleRun } from '#tests/support/sample-run.ts';

const run = (state: RunState) => sampleRun({ state });

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function follow(url: string): Promise<string[]> {
  const signal = AbortSignal.timeout(8_000);
  const news: string[] = [];
  for await (const each of watchRun(new ControllerClient({ url, token: 'hae_x' }, signal), '7', signal)) {
    news.push(each.kind === 'run' ? each.run.state : each.kind);
  }
  return news;
}

test('a Run is watched to its end over a Controller that breaks off, is not ready, and comes back', async () => {
  const answers: RequestListener[] = [
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(run('running'))}\n\n`, () => response.destroy());
    },
    (_, response) =>
      void response
        .writeHead(503)
        .end(JSON.stringify({ code: 'database-unreachable', message: 'The database does not answer' })),
    (_, response) => void response.writeHead(200).end(`: comment\n\ndata: ${JSON.stringify(run('completed'))}\n\n`),
  ];
  await using server = await serve((request, response) => answers.shift()!(request, response));
  expect(await follow(server.url)).toEqual(['running', 'controller-gone', 'controller-gone', 'completed']);
});

test('a refusal ends the watch with the Controller’s words', async () => {
  await using server = await serve(
    (_, response) =>
      void response.writeHead(401).end(JSON.stringify({ code: 'not-signed-in', message: 'The token is not valid' })),
  );
  await expect(follow(server.url)).rejects.toMatchObject({ code: 'not-signed-in', message: 'The token is not valid' });
});

test('a watch that is given up ends at once, and not with the next news', async () => {
  await using server = await serve(
    (_, response) => void response.writeHead(200).write(`data: ${JSON.stringify(run('running'))}\n\n`),
  );
  const givingUp = new AbortController();
  const client = new ControllerClient({ url: server.url, token: 'hae_x' }, new AbortController().signal);
  const watch = watchRun(client, '7', givingUp.signal);
  expect(await watch.next()).toMatchObject({ value: { kind: 'run' } });
  const next = watch.next();
  givingUp.abort(new Error('An Agent is gone'));
  await expect(next).rejects.toThrow('An Agent is gone');
});

test('something else than a Controller is reported as that', async () => {
  await using server = await serve((_, response) => void response.writeHead(404).end('<html>'));
  const client = new ControllerClient({ url: server.url, token: 'hae_x' }, AbortSignal.timeout(5_000));
  await expect(client.readComparison('1')).rejects.toThrow(/answered 404 and is no Controller/);
});

test('events are read in any chunks', async () => {
  const bytes = new TextEncoder().encode(
    ': hello\r\n\r\nevent: x\ndata: größer\ndata:two\n\ndata: {}\n\ndata: unfinished',
  );
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const data of readEventData(body)) events.push(data);
  expect(events).toEqual(['größer\ntwo', '{}']);
});
