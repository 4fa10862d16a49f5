import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { issueToken } from '#controller/people/tokens.ts';
import { AgentSummarySchema, type AgentSummary } from '#core/protocol/api/access.ts';
import { protocolVersion, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { startTestController, type TestController } from '../support/controller.ts';
import { joinAgent } from '../support/join-agent.ts';
import { findClosedUrl } from './support/conformance-failures.ts';
import { killServiceWorker } from './support/kill-background.ts';
import { openExtensionPages, type ExtensionPages } from './support/open-extension-pages.ts';
import { openGate, type Gate } from './support/open-gate.ts';

const stack = new AsyncDisposableStack();
let controller: TestController;
let gate: Gate;
let pages: ExtensionPages;

beforeAll(async () => {
  controller = stack.use(await startTestController());
  gate = stack.use(await openGate(controller.controller.url));
  pages = stack.use(await openExtensionPages());
});
beforeEach(() => Object.assign(gate, { isShut: false, protocolVersion: null, knocks: 0 }));
afterAll(() => stack.disposeAsync());

const refused = 'The Controller refused this Agent';
const connected = { link: 'Connected, idle', problem: '' };

test('an invalid address and an empty token are reported in the form and not tried', async () => {
  const fault = () => pages.options.$eval('#fault', (element) => element.textContent);
  await pages.enrol({ controllerUrl: 'controller.example', token: 'hae_any', name: 'laptop' });
  await expect
    .poll(fault)
    .toBe('The address must be the address of a Controller, such as "https://controller.example".');
  await pages.enrol({ controllerUrl: gate.url, token: ' ', name: 'laptop' });
  await expect.poll(fault).toBe('The token must not be empty.');
  await expectShown({ link: 'Not enrolled with a Controller', problem: '' });
  expect(gate.knocks).toBe(0);
});

test('a link that was cut off enrols nowhere, though the fields below it hold an earlier enrolment', async () => {
  const link = (text: string) =>
    pages.options.$eval('#enrolment-link', (input, value) => ((input as HTMLInputElement).value = value), text);
  await link(`${gate.url}/#enr`);
  await pages.enrol({ controllerUrl: gate.url, token: await makeToken(), name: 'laptop' });
  expect(await pages.options.$eval('#fault', (element) => element.textContent)).toMatch(/^Not an enrolment link/);
  await link('');
  await expectShown({ link: 'Not enrolled with a Controller', problem: '' });
  expect(gate.knocks).toBe(0);
});

test('where nobody listens it says so and keeps trying, until a Controller is there', async () => {
  gate.isShut = true;
  const token = await makeToken();
  await pages.enrol({ controllerUrl: await findClosedUrl(), token, name: 'laptop' });
  await expectShown({
    link: 'Connecting',
    problem: expect.stringMatching(
      /^No Controller answers at http:\S+\. Check the address, and that it runs\. Trying again\.$/,
    ),
  });

  await pages.enrol({ controllerUrl: gate.url, token, name: 'laptop' });
  await expect.poll(() => gate.knocks, within).toBeGreaterThan(2);
  await expectShown({ link: 'Connecting', problem: expect.stringContaining(`No Controller answers at ${gate.url}`) });
  gate.isShut = false;
  await expectShown(connected);
});

test('a server that is no Controller is reported as an address to check, and tried again', async () => {
  const lines: unknown[] = [];
  await using stranger = await serveEcho((line) => lines.push(line));
  await pages.enrol({ controllerUrl: stranger.url, token: 'hae_any', name: 'laptop' });
  await expectShown({
    link: 'Connecting',
    problem: expect.stringContaining(`No Controller answers at ${stranger.url}`),
  });
  await expect.poll(() => lines.length, within).toBeGreaterThan(1);
});

test('a token that is revoked ends the line with the reason; it is not tried again when the background wakes, but when it is enrolled again', async () => {
  const { token, id } = await issueToken(controller.controller.pool, { name: 'laptop', scope: 'agent' });
  await pages.enrol({ controllerUrl: gate.url, token, name: 'laptop' });
  await expectShown(connected);
  const { browser } = await controller.signIn();
  expect((await browser(`/api/tokens/${id}`, { method: 'DELETE' })).status).toBe(204);
  await expectShown({ link: refused, problem: 'The token was revoked: create a new one under Hosts in the web UI' });

  await restartBackground();
  await expectShown({ link: refused, problem: 'The token was revoked: create a new one under Hosts in the web UI' });
  expect(gate.knocks).toBe(1);

  await pages.enrol({ controllerUrl: gate.url, token, name: 'desktop' });
  await expectShown({
    link: refused,
    problem: 'The token is unknown, revoked, or not for Agents: create a new one under Hosts in the web UI',
  });
  expect(gate.knocks).toBe(2);
  await pages.enrol({ controllerUrl: gate.url, token: await makeToken(), name: 'laptop' });
  await expectShown(connected);
  expect(gate.knocks).toBe(3);
});

test('a Controller of another version refuses it with what to install; the same enrolment works once the versions agree', async () => {
  gate.protocolVersion = protocolVersion + 1;
  const enrolment = { controllerUrl: gate.url, token: await makeToken(), name: 'laptop' };
  await pages.enrol(enrolment);
  await expectShown({
    link: refused,
    problem: expect.stringMatching(
      new RegExp(
        `has protocol ${protocolVersion}, the Agent .* has ${protocolVersion + 1}: install the same version of HTTP-AE on both`,
      ),
    ),
  });
  expect(gate.knocks).toBe(1);
  gate.protocolVersion = null;
  await pages.enrol(enrolment);
  await expectShown(connected);
  expect(gate.knocks).toBe(2);
});

test('another Agent of its name takes its place, and it does not fight for it', async () => {
  await pages.enrol({ controllerUrl: gate.url, token: await makeToken(), name: 'tablet' });
  await expect.poll(listConnected, within).toContain('tablet');
  stack.use(await joinAgent(controller.controller, { name: 'tablet' }));
  await expectShown({
    link: refused,
    problem: 'Another Agent connected with the name "tablet": give each Agent its own name',
  });
  expect(gate.knocks).toBe(1);
});

test('who joins another Controller before the clock of the first was read reads that of the second', async () => {
  const isAsked = Promise.withResolvers<void>();
  await using silent = await serveSilence(isAsked.resolve);
  await pages.enrol({ controllerUrl: silent.url, token: 'hae_any', name: 'phone' });
  await isAsked.promise;
  await pages.enrol({ controllerUrl: gate.url, token: await makeToken('phone'), name: 'phone' });
  const readClockError = async () => (await listAgents()).find(({ name }) => name === 'phone')?.clockErrorMs;
  await expect.poll(readClockError, within).toEqual(expect.any(Number));
});

/** Generous: machines of tests are slow. */
const within = { timeout: 20_000 };

/** In the options and in the popup. */
async function expectShown(expected: { link: string; problem: unknown }): Promise<void> {
  for (const page of [pages.options, pages.popup]) await expect.poll(() => readShown(page), within).toEqual(expected);
}

async function readShown(page: Page): Promise<{ link: string | null; problem: string | null }> {
  return page.evaluate(
    '({ link: document.querySelector("#link").textContent, problem: document.querySelector("#problem").textContent })',
  ) as ReturnType<typeof readShown>;
}

/** Ends the background, wakes it as its alarm does, and waits until it has put right what it shows: a Visit waits that it does not have. */
async function restartBackground(): Promise<void> {
  await killServiceWorker(pages.browser);
  await pages.popup.evaluate(putRight);
}

/** Resolves when the background has corrected the number of Visits that wait. It may do so before any page has shown the wrong one. */
const putRight = `(async () => {
  const { session } = chrome.storage;
  const corrected = new Promise((resolve) => session.onChanged.addListener(({ agentState: { oldValue, newValue } }) => {
    if (oldValue?.waitingCount === 1 && newValue.waitingCount === 0) resolve();
  }));
  const { agentState } = await session.get('agentState');
  await session.set({ agentState: { ...agentState, waitingCount: 1 } });
  chrome.runtime.connect();
  await corrected;
})()`;

async function listAgents(): Promise<AgentSummary[]> {
  return AgentSummarySchema.array().parse(await (await controller.program('/api/agents')).json());
}

async function listConnected(): Promise<string[]> {
  return (await listAgents()).filter(({ isConnected }) => isConnected).map(({ name }) => name);
}

async function makeToken(name = 'laptop'): Promise<string> {
  return (await issueToken(controller.controller.pool, { name, scope: 'agent' })).token;
}

/** Speaks WebSocket, but not as a Controller does. */
function serveEcho(onLine: (line: unknown) => void): Promise<{ url: string } & AsyncDisposable> {
  return serveLines((socket) => {
    onLine(socket);
    socket.on('message', (data: Buffer) => socket.send(data.toString()));
  });
}

/** A Controller that welcomes every Agent, and does not answer when its clock is asked for. */
function serveSilence(onClockRequest: () => void): Promise<{ url: string } & AsyncDisposable> {
  return serveLines((socket) => {
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as AgentMessage;
      if (type === 'hello')
        socket.send(JSON.stringify({ type: 'welcome', controllerVersion: '0' } satisfies ControllerMessage));
      if (type === 'clock-request') onClockRequest();
    });
  });
}

async function serveLines(onLine: (socket: WebSocket) => void): Promise<{ url: string } & AsyncDisposable> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', onLine);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}
