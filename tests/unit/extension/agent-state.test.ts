import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentState } from '#extension/agent-state/agent-state.ts';
import { describeControllerLink } from '#extension/appearance/describe-controller-link.ts';
import type * as BrowserHost from '#extension/background/describe-browser-host.ts';
import type * as ShiftClock from '#extension/background/visit/shift-clock.ts';
import type { HeldPass } from '#extension/background/passes/held-pass.ts';
import type { Spool } from '#extension/background/spool.ts';
import type * as StateBoards from '#extension/background/state-board.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { settle } from '#tests/support/held-time.ts';
import { makeOrder } from '../agent/hold-agent.ts';
import { playBrowser } from './support/played-browser.ts';

let stored: Record<string, unknown>;
let scripts: { id: string; js: string[]; world: string }[];
let browserInfo: { name: string; version: string } | null;
let boards: typeof StateBoards;
let host: typeof BrowserHost;
let clocks: typeof ShiftClock;

const open = () =>
  playBrowser({
    runtime: {
      getPlatformInfo: () => Promise.resolve({ os: 'linux', arch: 'x86-64' }),
      getManifest: () => ({}),
      ...(browserInfo && { getBrowserInfo: () => Promise.resolve(browserInfo) }),
    },
    storage: {
      session: {
        get: (key: string) => Promise.resolve({ [key]: stored[key] }),
        set: (values: object) => Promise.resolve(void Object.assign(stored, values)),
      },
      local: { get: () => Promise.resolve({}) },
    },
    scripting: {
      getRegisteredContentScripts: ({ ids }: { ids: string[] }) =>
        Promise.resolve(scripts.filter(({ id }) => ids.includes(id))),
      registerContentScripts: (added: typeof scripts) => {
        if (scripts.some(({ id }) => added.some((each) => each.id === id))) throw new Error('Duplicate script ID');
        return Promise.resolve(void scripts.push(...added));
      },
      unregisterContentScripts: ({ ids }: { ids: string[] }) => {
        scripts = scripts.filter(({ id }) => !ids.includes(id));
        return Promise.resolve();
      },
    },
  });
beforeEach(async () => {
  [stored, scripts, browserInfo] = [{}, [], null];
  await open();
  boards = await import('#extension/background/state-board.ts');
  host = await import('#extension/background/describe-browser-host.ts');
  clocks = await import('#extension/background/visit/shift-clock.ts');
});
afterEach(() => void vi.unstubAllGlobals());

const shown = () => stored.agentState as AgentState;
const openBoard = (waiting = 0) => new boards.StateBoard({ countWaiting: () => Promise.resolve(waiting) } as Spool);
const url = 'http://origin.test/';
const order = {
  ...makeOrder({ roundId: 'a', url }),
  visits: [1, 2, 3].map((page) => ({ url: `${url}${page}`, repetition: 1 })),
};
const heldAt = (sequence: number) => ({ order, sequence }) as unknown as HeldPass;
const failed = { status: 'failed', code: 'timeout', detail: 'x', snapshot: null } as unknown as VisitOutcome;

test('the popup shows the Pass, the Visit under way, and the last five, the latest first', async () => {
  const board = openBoard(2);
  board.showLink('connected');
  board.showPass(heldAt(0), { url: `${url}1` });
  await settle();
  expect(shown()).toEqual({
    link: 'connected',
    problem: null,
    pass: { userAgent: 'alice', scenario: 'direct', url: `${url}1`, visitsEnded: 0, visitsOrdered: 3 },
    changes: [],
    waitingCount: 2,
    lastVisits: [],
  });
  for (const sequence of [1, 2, 3, 3, 3, 2]) board.showPass(heldAt(sequence), { url: null, outcome: failed });
  board.showChanges(['Proxy: set']);
  await settle();
  expect(shown()).toMatchObject({ pass: { url: null, visitsEnded: 2 }, changes: ['Proxy: set'] });
  expect(shown().lastVisits.map((visit) => visit.url)).toEqual([2, 3, 3, 3, 2].map((page) => `${url}${page}`));
  expect(shown().lastVisits[0]).toEqual({ url: `${url}2`, totalMs: null, code: 'timeout' });
  board.showRest();
  await settle();
  expect(shown()).toMatchObject({ pass: null, changes: [], lastVisits: { length: 5 } });
});

test('a Visit that has ended waits, and the others that do are not read again for that', async () => {
  let reads = 0;
  const spool = { countWaiting: () => Promise.resolve(++reads + 6) } as unknown as Spool;
  const board = new boards.StateBoard(spool);
  for (const sequence of [1, 2]) board.showPass(heldAt(sequence), { url: null, outcome: failed });
  await settle();
  expect([reads, shown().waitingCount]).toEqual([1, 7 + 2]);
  board.showWaiting();
  await settle();
  expect([reads, shown().waitingCount]).toEqual([2, 8]);
});

test('a refusal, and the last Visits, outlive a background that sleeps; a Pass and a connection do not', async () => {
  const first = openBoard();
  first.showPass(heldAt(1), { url: null, outcome: failed });
  first.showLink('refused', 'another token');
  expect(await first.isRefused()).toBe(true);
  const second = openBoard(1);
  expect(await second.isRefused()).toBe(true);
  await settle();
  expect(shown()).toMatchObject({
    link: 'refused',
    problem: 'another token',
    pass: null,
    waitingCount: 1,
    lastVisits: { length: 1 },
  });
  second.showLink('connected');
  await settle();
  const third = openBoard();
  expect(await third.isRefused()).toBe(false);
  await settle();
  expect(shown()).toMatchObject({ link: 'connecting', problem: null });
});

test.each([
  ['connected', true, 'good', 'Measuring'],
  ['connected', false, 'good', 'Connected, idle'],
  ['connecting', true, 'waiting', 'Connecting'],
  ['refused', false, 'bad', 'The Controller refused this Agent'],
  ['not-enrolled', false, 'none', 'Not enrolled with a Controller'],
] as const)('the link %s with a Pass (%s) is %s: %s', (link, hasPass, tone, text) => {
  expect(describeControllerLink({ link, pass: hasPass ? ({} as AgentState['pass']) : null })).toEqual({ tone, text });
});

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.7339.80 Safari/537.36';
test.each([
  [{ name: 'Firefox', version: '140.0' }, chrome, 8, 4, 'Firefox/140.0', 8 * 2 ** 30, 4],
  [null, chrome, undefined, 0, 'Chrome/140.0.7339.80', null, 1],
  [null, `${chrome} Edg/140.0.1.2`, 0.5, 2, 'Edg/140.0.1.2', 2 ** 29, 2],
  [null, 'Other/1', undefined, 2, 'unknown', null, 2],
])(
  'of its browser (%j, %s) an extension knows version, memory and processors',
  async (info, userAgent, deviceMemory, hardwareConcurrency, version, memoryBytes, cpuCount) => {
    browserInfo = info;
    await open();
    vi.stubGlobal('navigator', { userAgent, deviceMemory, hardwareConcurrency });
    const facts = await host.readHostFacts();
    expect(facts).toMatchObject({
      platform: 'linux',
      architecture: 'x86-64',
      memoryBytes,
      cpuCount,
      scriptsAllowed: false,
    });
    expect(facts.engines).toMatchObject([{ engine: 'extension', version }]);
  },
);

test('the clock of replayed pages is shifted until the Visit ends, also where a background died before', async () => {
  scripts = [{ id: 'replayed-page', js: [], world: 'MAIN' }];
  {
    await using _clock = await clocks.shiftClock(-3);
    expect(scripts).toMatchObject([
      {
        id: 'replayed-page',
        js: ['clock/bit-0.js', 'clock/bit-1.js', 'clock/earlier.js', 'clock/clock.js'],
        matches: ['<all_urls>'],
        allFrames: true,
        matchOriginAsFallback: true,
        runAt: 'document_start',
        world: 'MAIN',
        persistAcrossSessions: false,
      },
    ]);
  }
  expect(scripts).toEqual([]);
});
