import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  carryCsrfTokenOf,
  carryShareSecret,
  json,
  nothing,
  request,
  text,
  ProblemError,
} from '#web-ui/src/api/request.ts';

let answer: (asked: IncomingMessage, response: ServerResponse, body: string) => void;
const server = createServer((asked, response) => {
  void readText(asked).then((body) => answer(asked, response, body));
});
let origin: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
afterEach(() => {
  carryCsrfTokenOf(null);
  carryShareSecret('');
});

const echo: typeof answer = ({ method, headers }, response, body) => {
  const { 'content-type': type, 'x-csrf-token': csrf, authorization } = headers;
  response.end(JSON.stringify({ method, type, csrf, authorization, body }));
};
const ask = async (given: Partial<Parameters<typeof request>[0]>) =>
  JSON.parse(await request({ path: `${origin}/api/a`, ...given, answer: text })) as Record<string, string | undefined>;
const problemOf = async (asked: Promise<unknown>) => {
  const error: unknown = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProblemError);
  return (error as ProblemError).problem;
};

test('a body is sent as what it is', async () => {
  answer = echo;
  const post = { method: 'POST' as const };
  expect(await ask({ ...post, body: { json: { a: 1 } } })).toMatchObject({ type: 'application/json', body: '{"a":1}' });
  expect(await ask({ ...post, body: { yaml: 'a: 1' } })).toMatchObject({ type: 'application/yaml', body: 'a: 1' });
  const file = new File(['bytes'], 'a.wacz');
  expect(await ask({ ...post, body: { file } })).toMatchObject({ type: 'application/octet-stream', body: 'bytes' });
  expect(await ask({})).toEqual({ method: 'GET', body: '' });
});

test('what changes something carries the token of the session, and the page of a shared link its secret', async () => {
  answer = echo;
  carryCsrfTokenOf({ csrfToken: 'token' });
  expect((await ask({ method: 'DELETE' })).csrf).toBe('token');
  expect((await ask({})).csrf).toBeUndefined();
  carryShareSecret('secret');
  expect((await ask({})).authorization).toBe('Bearer secret');
});

test('a refusal says what the Controller says, and any other failure what to do', async () => {
  const refuse = (status: number, body: string) => {
    answer = (_, response) => response.writeHead(status).end(body);
    return problemOf(request({ path: `${origin}/api/a`, answer: nothing }));
  };
  const problem = { code: 'not-found', message: 'There is no Run 9', issues: [] };
  expect(await refuse(404, JSON.stringify(problem))).toEqual(problem);
  expect(await refuse(500, 'oops')).toMatchObject({
    code: 'internal',
    message: expect.stringContaining('HTTP status 500') as string,
  });
  expect(await refuse(502, '')).toMatchObject({ code: 'controller-unreachable' });
  const away = request({ path: 'http://127.0.0.1:9/api/a', answer: nothing });
  expect(await problemOf(away)).toMatchObject({ code: 'controller-unreachable' });
});

test('an answer of another shape is a problem that names the place, and a request that was given up is none', async () => {
  answer = (_, response) => response.end('{"a":{"b":"x"}}');
  const answered = json(z.object({ a: z.object({ b: z.number() }) }));
  expect((await problemOf(request({ path: `${origin}/api/a`, answer: answered }))).message).toMatch(
    /^Unexpected answer from \/api\/a at "a\.b": .* reload the page\.$/,
  );
  const signal = AbortSignal.abort(new Error('left'));
  await expect(request({ path: `${origin}/api/a`, answer: nothing, signal })).rejects.toThrow('left');
});

test('a page of something between, and an answer that breaks off, are problems in words', async () => {
  const answered = () => problemOf(request({ path: `${origin}/api/a`, answer: json(z.object({ a: z.number() })) }));
  answer = (_, response) => response.end('<!doctype html><title>Sign in to the network</title>');
  expect((await answered()).message).toMatch(/^Unexpected answer from \/api\/a /);
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"a":');
    setImmediate(() => response.destroy());
  };
  expect(await answered()).toMatchObject({ code: 'controller-unreachable' });
});
