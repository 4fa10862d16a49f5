import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitReceiving } from '#controller/http/create-app.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const store: RequestHandler = (request, response) =>
  void request.resume().on('close', () => response.status(204).end());
const refuse: RequestHandler = (_, response) => void response.status(401).end();

/** Sends a request of 4 bytes over a connection of its own, after which the server hangs up, and reads the answer. */
async function send(handler: RequestHandler, { method, path }: { method: string; path: string }): Promise<string> {
  const app = express().use(limitReceiving({ wholeMs: 300_000, idleMs: 120_000 }), handler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: controller\r\ncontent-length: 4\r\nconnection: close\r\n\r\nbody`);
  const answer = (await socket.toArray()).join('');
  server.close();
  await once(server, 'close');
  return answer;
}

// A timer that is left keeps a Controller from ending for as long as it runs.
test.for([
  ['of an upload that was stored', store, { method: 'PUT', path: '/api/artefacts/0' }, 204],
  ['of an upload that was refused', refuse, { method: 'PUT', path: '/api/artefacts/0' }, 401],
  ['of another request', store, { method: 'POST', path: '/api/evaluations' }, 204],
] as const)('no timer is left %s', async ([, handler, request, status]) => {
  expect(await send(handler, request)).toMatch(`HTTP/1.1 ${status} `);
  expect(vi.getTimerCount()).toBe(0);
});
