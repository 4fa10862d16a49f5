import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { JourneySchema, splitJourney } from '#core/evaluation/journey/journey.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';

// Pages that work against the steps of a journey. Each step ends, and says how: a step that hung would end its test only by the test's limit.

const engines = [
  { name: 'chrome', open: openSession },
  ...(isFirefoxLeftOut ? [] : [{ name: 'firefox', open: openFirefoxSession }]),
];
const limitMs = 60_000;
const stepMs = 1_500;

type Code = Extract<VisitOutcome, { status: 'failed' }>['code'] | 'ok';
interface Hostile {
  /** What the page does, besides having the element `go`. */
  script: string;
  /** Of a click that is to lead to another page. */
  leads: Code;
  /** Of one that is to stay, where it ends otherwise than by the click: as a click that leads nowhere is no fault then. */
  stays?: Code;
  /** Where Firefox does otherwise than Chrome. */
  inFirefox?: { leads: Code; stays: Code };
  element?: string;
}

const link = '<a id=go href="/calm" style="position: absolute; left: 50px; top: 50px">Go</a>';
const button = '<button id=go style="position: absolute; left: 50px; top: 50px">Go</button>';
const onGo = (script: string) => `go.onclick = (event) => { event.preventDefault(); ${script} }`;

const pages: Record<string, Hostile> = {
  'removes the element': { script: 'go.remove()', leads: 'journey-step-failed', stays: 'journey-step-failed' },
  'removes it on press': {
    script: 'go.onmousedown = () => go.remove()',
    leads: 'journey-strayed',
  },
  'removes it under the mouse': {
    script: 'go.onmouseover = () => go.remove()',
    leads: 'journey-strayed',
  },
  'covers it': {
    script: 'document.body.insertAdjacentHTML("beforeend", "<div style=\'position: fixed; inset: 0\'></div>")',
    leads: 'journey-strayed',
  },
  'hides it': { script: 'go.style.visibility = "hidden"', leads: 'journey-step-failed', stays: 'journey-step-failed' },
  'moves it all the time': {
    script: 'let at = 0; setInterval(() => { go.style.left = (at = (at + 7) % 500) + "px"; }, 1)',
    leads: 'journey-step-failed',
    stays: 'journey-step-failed',
  },
  'swallows the click': {
    script: 'addEventListener("click", (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true)',
    leads: 'journey-strayed',
  },
  'asks without end': { script: onGo('for (;;) alert(1)'), leads: 'timeout', stays: 'journey-step-failed' },
  'asks for a text': { script: onGo('prompt(1); confirm(2); alert(3)'), leads: 'journey-strayed' },
  'prints itself': { script: onGo('print()'), leads: 'journey-strayed' },
  'never ends its script': { script: onGo('for (;;);'), leads: 'timeout', stays: 'journey-step-failed' },
  'closes itself': {
    script: onGo('close(); open("", "_self").close()'),
    leads: 'journey-strayed',
    inFirefox: { leads: 'unsupported-content', stays: 'unsupported-content' },
  },
  'opens a window from its link': { script: 'go.target = "_blank"', leads: 'journey-strayed' },
  'opens a window by its script': { script: onGo('open("/calm")'), leads: 'journey-strayed' },
  'gives a file': { script: onGo('location = "/file"'), leads: 'journey-strayed' },
  'gives a file of a type that no browser shows': {
    script: onGo('location = "/archive"'),
    leads: 'journey-strayed',
  },
  'gives nothing': { script: onGo('location = "/nothing"'), leads: 'empty-response', stays: 'ok' },
  'writes itself again': {
    script: onGo('document.open(); document.write("<title>written</title>"); document.close()'),
    leads: 'journey-strayed',
  },
  'is redirected without end': { script: onGo('location = "/turn"'), leads: 'redirect-loop', stays: 'journey-strayed' },
  'leads to a mail program': { script: onGo('location = "mailto:a@b.test"'), leads: 'journey-strayed' },
  'leads into the browser': { script: onGo('location = "chrome://crash"'), leads: 'journey-strayed' },
  'has a field for files': {
    element: '<input type=file id=go style="position: absolute; left: 50px; top: 50px">',
    script: '',
    leads: 'journey-strayed',
  },
  'goes back and forth': {
    script: onGo('history.pushState(null, "", "/1"); setInterval(() => { history.back(); history.forward(); }, 10)'),
    leads: 'journey-strayed',
  },
};

const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`;
let server: PageServer;
beforeAll(async () => {
  server = await servePages({
    ...Object.fromEntries(
      Object.entries(pages).map(([name, { script, element = script.startsWith('go.onclick') ? button : link }]) => [
        pathOf(name),
        `<!doctype html>${noIcon}<title>${name}</title><body>${element}<script>${script}</script>`,
      ]),
    ),
    '/calm': `<!doctype html>${noIcon}<title>calm</title>`,
    '/file': (response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-disposition': 'attachment' }).end('a file'),
    '/archive': (response) => response.writeHead(200, { 'content-type': 'application/zip' }).end('an archive'),
    '/nothing': (response) => response.writeHead(204).end(),
    '/turn': (response) => response.writeHead(302, { location: '/turn' }).end(),
  });
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(engines)('a journey against a page in $name', ({ name: engine, open }) => {
  let session: EngineSession;
  beforeAll(async () => {
    session = await open({ pageLoad: { restMs: 0, quietMs: 100, timeoutMs: 5_000 } });
  });
  afterAll(() => session[Symbol.asyncDispose]());

  async function play(name: string, assertedEvents: object[]): Promise<Code> {
    const { steps } = JourneySchema.parse({
      title: name,
      steps: [
        { type: 'navigate', url: `${server.url}${pathOf(name)}` },
        { type: 'click', selectors: [['#go']], assertedEvents },
      ],
    });
    let last: VisitOutcome | null = null;
    for (const { leg, address } of splitJourney({ steps, timeout: stepMs }))
      last = await session.visit({ url: address || server.url, leg, signal: new AbortController().signal });
    return last!.status === 'ok' ? 'ok' : last!.code;
  }

  /** The browser and its next page are as before. */
  async function expectCalm(): Promise<void> {
    const outcome = await session.visit({ url: `${server.url}/calm`, signal: new AbortController().signal });
    expect(outcome).toMatchObject({ status: 'ok', snapshot: { settled: true, frames: [{ title: 'calm' }] } });
  }

  test.each(Object.entries(pages))('that %s', { timeout: limitMs }, async (name, { leads, stays, inFirefox }) => {
    const expected = engine === 'firefox' && inFirefox ? inFirefox : { leads, stays };
    const codes = {
      leads: await play(name, [{ type: 'navigation' }]),
      stays: expected.stays && (await play(name, [])),
    };
    await expectCalm();
    expect(codes).toEqual(expected);
  });
});
