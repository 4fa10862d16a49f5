import { afterAll, expect, test, vi } from 'vitest';
import type { AgentState } from '#extension/agent-state/agent-state.ts';
import { settle } from '#tests/support/held-time.ts';
import { playBrowser } from './support/played-browser.ts';

test('what a background that died in the midst of a Visit has left is undone when the next one starts, and the popup shows why it does not', async () => {
  // A browser without a database: the background ends its start there, after it has undone what was left.
  const ended = Promise.withResolvers<unknown>();
  const log = vi.spyOn(console, 'error').mockImplementation((_, error) => ended.resolve(error));
  const left = {
    windows: [{ id: 7, incognito: false }],
    rules: [{ id: 1 }],
    scripts: [{ id: 'replayed-page' }],
    proxy: 'of the Scenario',
  };
  const stored: Record<string, unknown> = { stageWindows: [7] };
  const area = {
    get: (key: string) => Promise.resolve({ [key]: stored[key] }),
    set: (values: object) => Promise.resolve(void Object.assign(stored, values)),
  };
  const event = { addListener: () => undefined };
  await playBrowser({
    runtime: {
      ...{ onStartup: event, onInstalled: event, onConnect: event },
      ...{ getManifest: () => ({}), getURL: () => 'data:application/json,null' },
    },
    alarms: { onAlarm: event, create: () => Promise.resolve() },
    permissions: { onAdded: event, onRemoved: event },
    storage: { onChanged: event, session: area, local: area },
    windows: {
      getAll: () => Promise.resolve(left.windows),
      remove: (closed: number) => {
        left.windows = left.windows.filter(({ id }) => id !== closed);
        return Promise.resolve();
      },
    },
    declarativeNetRequest: {
      getSessionRules: () => Promise.resolve(left.rules),
      updateSessionRules: ({ removeRuleIds }: { removeRuleIds: number[] }) => {
        left.rules = left.rules.filter(({ id }) => !removeRuleIds.includes(id));
        return Promise.resolve();
      },
    },
    scripting: {
      getRegisteredContentScripts: ({ ids }: { ids: string[] }) =>
        Promise.resolve(left.scripts.filter(({ id }) => ids.includes(id))),
      unregisterContentScripts: ({ ids }: { ids: string[] }) => {
        left.scripts = left.scripts.filter(({ id }) => !ids.includes(id));
        return Promise.resolve();
      },
    },
  });
  const clear = () => Promise.resolve(void (left.proxy = ''));
  // Chrome's own names are read where the modules are loaded.
  vi.resetModules();
  Object.assign(globalThis, { chrome: { proxy: { settings: { clear } } } });
  await import('#extension/background/background.ts');
  expect(String(await ended.promise)).toContain('indexedDB');
  expect(left).toEqual({ windows: [], rules: [], scripts: [], proxy: '' });
  await settle();
  expect((stored.agentState as AgentState).problem).toMatch(/^The extension could not start: indexedDB .*\. Start/);
  log.mockRestore();
});

afterAll(() => {
  Reflect.deleteProperty(globalThis, 'chrome');
  vi.resetModules();
});
