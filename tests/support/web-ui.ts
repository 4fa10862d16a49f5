import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { ControllerOptions } from '#controller/start-controller.ts';
import type { Role } from '#core/protocol/role.ts';
import { findChrome } from '../browser/support/find-chrome.ts';
import { startTestController, type TestController } from './controller.ts';
import { joinAgent } from './join-agent.ts';

interface OpenOptions {
  path: string;
  colorScheme?: 'light' | 'dark';
  /** By default signed in by a one-time link. */
  isSignedIn?: boolean;
  /** By default an admin. */
  role?: Role;
}

/** The built web UI, served by a real Controller, in a real Chromium. */
export interface WebUi extends AsyncDisposable {
  controller: TestController;
  open: (options: OpenOptions) => Promise<Page>;
  /** Errors that pages logged or threw, and violations of the content security policy, since the start. */
  complaints: string[];
}

export async function startWebUi({ hostJoining }: Pick<ControllerOptions, 'hostJoining'> = {}): Promise<WebUi> {
  await using resources = new AsyncDisposableStack();
  const controller = resources.use(
    await startTestController({ webUiFolder: inject('webUiFolder'), hostJoining: hostJoining ?? null }),
  );
  const browser = await chromium.launch({
    executablePath: findChrome(),
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  });
  resources.defer(() => browser.close());

  const complaints: string[] = [];
  const open = async ({ path: pagePath, colorScheme = 'light', isSignedIn = true, role = 'admin' }: OpenOptions) => {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 } });
    if (isSignedIn) await addSession(context, { controller, role });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // An answer that says no is an answer: the pages show it.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    // A library that tries to make code of a text hides the refusal: only this event shows it.
    const devTools = await context.newCDPSession(page);
    devTools.on('Audits.issueAdded', ({ issue }) => {
      if (issue.code === 'ContentSecurityPolicyIssue') complaints.push(JSON.stringify(issue.details));
    });
    await devTools.send('Audits.enable');
    await page.goto(controller.controller.url + pagePath);
    return page;
  };

  const owned = resources.move();
  return { controller, open, complaints, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A web UI for the tests of a file, which hosts of these names have joined, and others join over SSH by `hostJoining`. A test fails when a page complains. */
export function useWebUi({
  hosts = [],
  hostJoining,
}: { hosts?: string[] } & Pick<ControllerOptions, 'hostJoining'> = {}): Omit<WebUi, keyof AsyncDisposable> {
  const resources = new AsyncDisposableStack();
  let started: WebUi;
  beforeAll(async () => {
    started = resources.use(await startWebUi({ hostJoining: hostJoining ?? null }));
    for (const name of hosts) resources.use(await joinAgent(started.controller.controller, { name }));
  });
  afterAll(() => resources.disposeAsync());
  afterEach(() => expect(started.complaints).toEqual([]));
  return {
    get controller() {
      return started.controller;
    },
    get complaints() {
      return started.complaints;
    },
    open: (options) => started.open(options),
  };
}

async function addSession(
  context: BrowserContext,
  { controller, role }: { controller: TestController; role: Role },
): Promise<void> {
  const { cookie } = await controller.signIn(role);
  const separator = cookie.indexOf('=');
  await context.addCookies([
    { name: cookie.slice(0, separator), value: cookie.slice(separator + 1), url: controller.controller.url },
  ]);
}
