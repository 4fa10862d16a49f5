import type { Browser, CDPSession } from 'puppeteer-core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { ExtensionBrowser } from '#agent/engines/extension/extension-browser-options.ts';
import type { BidiConnection } from '#agent/engines/firefox/bidi-connection.ts';
import { callInBrowser } from '#agent/engines/firefox/browser-world.ts';

/** The launcher gives it to each Firefox. */
const addressInFirefox = 'moz-extension://c3a4c1a2-5f0e-4a53-9d0c-6a4c6d1f0b77';

const within = { timeout: 20_000 };

/** Loads a page in a tab of the person's own, until it has this title. */
export async function openAsPerson(
  browser: ExtensionBrowser,
  { url, title }: { url: string; title: string },
): Promise<void> {
  await using tab = await openTab(browser, url);
  await expect.poll(() => tab.evaluate(`document.title === '${title}'`), within).toBe(true);
}

/** Presses a button in the options of the extension. Firefox does not ask again whether it is meant. */
export async function pressInOptions(browser: ExtensionBrowser, selector: string): Promise<void> {
  if (browser.connection) {
    await callInBrowser(browser.connection, {
      text: `() => Services.prefs.setBoolPref('extensions.webextOptionalPermissionPrompts', false)`,
    });
  }
  const address = browser.connection ? addressInFirefox : await findAddressInChrome(browser.browser!);
  await using tab = await openTab(browser, `${address}/options/options.html`);
  await expect.poll(() => tab.evaluate(`document.querySelector('${selector}')?.hidden === false`), within).toBe(true);
  await tab.evaluate(`document.querySelector('${selector}').scrollIntoView()`);
  await tab.press(selector);
  await expect.poll(() => tab.evaluate(`document.querySelector('${selector}').hidden`), within).toBe(true);
}

/** Chrome only. The window stays open. */
export async function openIncognitoAsPerson({ browser }: ExtensionBrowser): Promise<void> {
  const address = await findAddressInChrome(browser!);
  await using tab = await openTabInChrome(browser!, `${address}/options/options.html`);
  await expect.poll(() => tab.evaluate(`document.title === 'HTTP-AE options'`), within).toBe(true);
  await tab.evaluate(`void chrome.windows.create({ incognito: true, url: 'about:blank' })`);
  const count = `chrome.windows.getAll().then((all) => all.some(({ incognito }) => incognito))`;
  await expect.poll(() => tab.evaluate(count), within).toBe(true);
}

interface Tab extends AsyncDisposable {
  evaluate(expression: string): Promise<boolean>;
  press(selector: string): Promise<void>;
}

function openTab({ browser, connection }: ExtensionBrowser, url: string): Promise<Tab> {
  return connection ? openTabInFirefox(connection, url) : openTabInChrome(browser!, url);
}

async function openTabInChrome(browser: Browser, url: string): Promise<Tab> {
  const session = await browser.target().createCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url, newWindow: true });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: true });
  const page: CDPSession = session.connection()!.session(sessionId)!;
  return {
    evaluate: async (expression) => {
      const { result } = await page.send('Runtime.evaluate', {
        expression,
        userGesture: true,
        awaitPromise: true,
      });
      return result.value === true;
    },
    press: async (selector) => {
      await page.send('Runtime.evaluate', { expression: `document.querySelector('${selector}').click()` });
    },
    [Symbol.asyncDispose]: async () => {
      await session.send('Target.closeTarget', { targetId });
      await session.detach();
    },
  };
}

async function findAddressInChrome(browser: Browser): Promise<string> {
  const session = await browser.target().createCDPSession();
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'service_worker' }] });
  await session.detach();
  return new URL(targetInfos[0]!.url).href.replace(/\/[^/]*$/, '');
}

const ResultSchema = z.object({ result: z.object({ value: z.unknown().optional() }).optional() });

const NodesSchema = z.object({ nodes: z.array(z.object({ sharedId: z.string() })).min(1) });

async function openTabInFirefox(connection: BidiConnection, url: string): Promise<Tab> {
  const created = await connection.send('browsingContext.create', { type: 'tab' });
  const { context } = z.object({ context: z.string() }).parse(created);
  await connection.send('browsingContext.navigate', { context, url, wait: 'none' });
  return {
    evaluate: async (expression) => {
      const answer = await connection.send('script.evaluate', { expression, target: { context }, awaitPromise: false });
      return ResultSchema.parse(answer).result?.value === true;
    },
    // Only a real press may be followed by a question to the person.
    press: async (selector) => {
      const locator = { type: 'css', value: selector };
      const found = await connection.send('browsingContext.locateNodes', { context, locator });
      const [element] = NodesSchema.parse(found).nodes;
      const origin = { type: 'element', element };
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await connection.send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
    },
    [Symbol.asyncDispose]: async () => {
      await connection.send('browsingContext.close', { context });
    },
  };
}
