import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { startTestController } from '#tests/support/controller.ts';
import { startTcpRelay } from '#tests/support/tcp-relay.ts';
import { findChrome } from '../../browser/support/find-chrome.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

/** What a page tries once its own name leads to the Controller: for the browser, both are one origin. */
const requests = [
  ['GET', '/api/health'],
  ['GET', '/api/evaluations'],
  ['GET', '/api/openapi.json'],
  ['GET', '/metrics'],
  ['GET', '/'],
  ['POST', '/api/sign-in'],
  ['POST', '/api/sign-in/ticket'],
  ['POST', '/api/evaluations'],
  ['DELETE', '/api/agents/laptop'],
] as const;

test('a page whose name is pointed to the Controller reads nothing, changes nothing, and is no Agent', async () => {
  const attacker = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title>'),
  );
  await once(attacker.listen(0, '127.0.0.1'), 'listening');
  // The browser looks the name up once: what it leads to changes behind it, as it does where the name is pointed elsewhere.
  await using relay = await startTcpRelay((attacker.address() as AddressInfo).port);
  const browser = await chromium.launch({
    executablePath: findChrome(),
    args: ['--no-sandbox', '--disable-quic', '--host-resolver-rules=MAP rebound.test 127.0.0.1'],
  });
  try {
    const context = await browser.newContext();
    // The person is signed in, in the same browser.
    const { cookie } = await it.signIn();
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: it.controller.url }]);
    const page = await context.newPage();
    await page.goto(`http://rebound.test:${relay.port}/`);
    expect(await page.title()).toBe('A page');

    relay.moveTo(Number(new URL(it.controller.url).port));
    const answers = await page.evaluate(
      (tried) =>
        Promise.all(
          tried.map(async ([method, path]) => {
            const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
            const response = await fetch(path, { method, ...body });
            return [method, path, response.status, (await response.text()).includes('does not have the name')];
          }),
        ),
      requests,
    );
    expect(answers).toEqual(requests.map(([method, path]) => [method, path, 403, true]));

    const line = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const socket = new WebSocket('/agent', ['http-ae-agent', 'http-ae-token.guess']);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        }),
    );
    expect(line).toBe('refused');
    expect(await context.cookies(`http://rebound.test:${relay.port}/`)).toEqual([]);
    // Under its own name it is there.
    expect((await it.anonymous('/api/health')).status).toBe(200);
  } finally {
    await browser.close();
    attacker.close();
  }
});
