import browser from 'webextension-polyfill';
import { ZodError } from 'zod';
import { answerOf, answerOfPage, areIdle, askPageFirst, listAnswers, SilentFrame } from '#core/agent/frame-answers.ts';
import { describeExcessOf, FrameSnapshotSchema, type FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import { awaitedInVainMs } from '#core/metrics/settle-rule.ts';
import { unlessAborted } from '#core/waiting.ts';
import { isPrerendered } from './tab-recorder.ts';
import type { StyleSheetText } from '#probe/page-probe.ts';

/** The probe, as `extension/vite.config.ts` puts it beside this script. */
export const probeFile = 'page-probe.js';

interface Frame {
  tabId: number;
  frameId: number;
}

/** The page itself. */
function pageOf(tabId: number): Frame {
  return { tabId, frameId: 0 };
}

interface FoundFrame extends Frame {
  url: string;
}

export interface FrameReport {
  frame: Frame;
  report: FrameSnapshot;
}

/** Into the isolated world of one frame, at once or when its document is whole; twice in the same document changes nothing. */
export async function installProbe({ tabId, frameId }: Frame, injectImmediately = true): Promise<void> {
  await browser.scripting.executeScript({
    target: { tabId, frameIds: [frameId] },
    files: [probeFile],
    injectImmediately,
  });
}

/** Whether no frame still loads an image or a font. */
export async function areFramesIdle(tabId: number, signal: AbortSignal): Promise<boolean> {
  const ask = (frame: Frame) => evaluate(frame, () => globalThis.httpAeProbe?.status() ?? null);
  const statuses = await askPageFirst({
    page: () => ask(pageOf(tabId)),
    frames: async (asking) => {
      const within = (await findFrames(tabId)).filter(({ frameId }) => frameId !== 0);
      return askEach(within, { signal: asking, ask });
    },
    signal,
  });
  return areIdle(statuses);
}

/** Whether the page has set a User Timing mark of one of these names. */
export async function hasMark(
  tabId: number,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): Promise<boolean> {
  const asked = evaluate(pageOf(tabId), (wanted) => globalThis.httpAeProbe?.hasMark(wanted) ?? false, [...names]);
  return (await answerOfPage(asked, { signal })) ?? false;
}

/** Whether the load event of the page has fired; false where it does not answer, as while it is exchanged for another. */
export async function hasPageLoaded(tabId: number, signal: AbortSignal): Promise<boolean> {
  const asked = evaluate(pageOf(tabId), () => /^http/.test(location.protocol) && document.readyState === 'complete');
  return (await answerOfPage(asked, { signal })) ?? false;
}

/**
 * Why the page itself has no report: the probe threw, which is a fault of HTTP-AE; the browser lets no extension in; or nothing came in time, though it may
 * answer what takes no time.
 */
export type PageSilence =
  | { kind: 'probe-error'; detail: string }
  | { kind: 'refused'; detail: string }
  | { kind: 'no-answer'; isAnswering: boolean };

interface CollectedFrames {
  reports: FrameReport[];
  /** Of the page itself, where it has no report. */
  silence: PageSilence;
  /** The addresses of the frames within it that may be looked into, and have no report. */
  silentUrls: string[];
  /** What some frame has more of than a Snapshot takes. */
  excess: string | null;
}

/** The report of every frame that answers before the signal is aborted, and why the page itself has none where it has not. */
export async function collectFrames(tabId: number, signal: AbortSignal): Promise<CollectedFrames> {
  const noAnswer = { kind: 'no-answer' as const, isAnswering: false };
  let silence: PageSilence = noAnswer;
  let excess: string | null = null;
  evaluate({ tabId, frameId: 0 }, () => true).then(
    () => (noAnswer.isAnswering = true),
    () => undefined,
  );
  const listed = await findFrames(tabId);
  const frames = [...listed, ...(await findUnlistedFrames(tabId, listed))];
  const silent = new Set(frames);
  const reports = await askEach(frames, {
    signal,
    ask: async (frame) => {
      try {
        // Scripts may have been forbidden in a frame that changed its address meanwhile.
        const installed = installProbe(frame);
        await (frame.frameId === 0 ? installed : answerOf(installed));
        await evaluate(frame, revealShadowRoots).catch((error: unknown) => console.debug('No closed trees', error));
        const report = await reportFrame(frame);
        silent.delete(frame);
        return { frame, report };
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        excess ??= describeExcessOf(error);
        const isOurs = error instanceof ProbeError || error instanceof ZodError;
        if (!isOurs && !(error instanceof SilentFrame)) silent.delete(frame);
        if (isOurs) console.error(`The probe failed in frame ${frame.frameId}, please report it`, error);
        if (frame.frameId === 0) silence = { kind: isOurs ? 'probe-error' : 'refused', detail };
        throw error;
      }
    },
  });
  return { reports, silence, silentUrls: Array.from(silent, ({ url }) => url), excess };
}

/** The report of a frame that knows more style sheets than the page may read; the former one where it does not answer. */
export async function reportWithSheets(
  { frame, report }: FrameReport,
  { sheets, signal }: { sheets: readonly StyleSheetText[]; signal: AbortSignal },
): Promise<FrameSnapshot> {
  const reveal = async () => {
    const texts = sheets.map(({ url, text }) => ({ url, text }));
    await evaluate(frame, (known) => known.forEach((sheet) => globalThis.httpAeProbe!.addStyleSheet(sheet)), texts);
    return reportFrame(frame);
  };
  return unlessAborted(reveal(), signal).catch((error: unknown) => {
    console.debug(`Frame ${frame.frameId} went away`, error);
    return report;
  });
}

class ProbeError extends Error {
  override readonly name = 'ProbeError';
}

/** Chrome does not say what a script threw: it is caught there. */
async function reportFrame(frame: Frame): Promise<FrameSnapshot> {
  const answer = await evaluate(frame, async () => {
    try {
      return { report: await globalThis.httpAeProbe!.report() };
    } catch (error) {
      return { problem: String(error instanceof Error ? (error.stack ?? error) : error) };
    }
  });
  if (answer.problem !== undefined) throw new ProbeError(answer.problem.slice(0, 2000));
  return FrameSnapshotSchema.parse(answer.report);
}

/** What the page itself has for its dialogs, which nobody would answer: as the engines for browsers answer them (docs/agents.md). As early as the browser allows. */
export async function silenceDialogs({ tabId, frameId }: Frame, injectImmediately: boolean): Promise<void> {
  await browser.scripting.executeScript({
    target: { tabId, frameIds: [frameId] },
    world: 'MAIN',
    injectImmediately,
    func: () => {
      Object.assign(window, {
        alert: () => undefined,
        confirm: () => false,
        prompt: () => null,
        print: () => undefined,
      });
    },
  });
}

interface Queried {
  querySelectorAll: (text: string) => NodeListOf<Element>;
}

/** The addresses of the page's icons: the browser fetches them for its own use. */
export async function listIconUrls(tabId: number, signal: AbortSignal): Promise<string[]> {
  const asked = evaluate({ tabId, frameId: 0 }, () => {
    // A page may hide what its document has by naming an element like it.
    const { prototype } = Document as { prototype: Queried };
    const links = prototype.querySelectorAll.call(document, 'link[rel*=icon i][href]');
    const addresses = Array.from(links, (link) => (link as HTMLLinkElement).href);
    return [...addresses, new URL('/favicon.ico', location.href).href];
  });
  return unlessAborted(asked, signal).catch(() => []);
}

/** The frames that the tab has now, the page itself among them. */
async function findFrames(tabId: number): Promise<FoundFrame[]> {
  const all = (await browser.webNavigation.getAllFrames({ tabId })) ?? [];
  return all.filter((frame) => !isPrerendered(frame)).map(({ frameId, url }) => ({ tabId, frameId, url }));
}

/** Chrome lists no frame of `blob:`, nor one of `javascript:`, but lets scripts into them. */
async function findUnlistedFrames(tabId: number, listed: readonly Frame[]): Promise<FoundFrame[]> {
  const known = new Set(listed.map(({ frameId }) => frameId));
  const everywhere = browser.scripting.executeScript({
    target: { tabId, allFrames: true },
    func: () => location.href,
    injectImmediately: true,
  });
  const found = await answerOf(everywhere, awaitedInVainMs).catch(() => []);
  return found
    .filter(({ frameId }) => !known.has(frameId))
    .map(({ frameId, result }) => ({ tabId, frameId, url: String(result) }));
}

/** What the frames answered, in order: one that does not is left out. */
function askEach<T>(
  frames: readonly FoundFrame[],
  { signal, ask }: { signal: AbortSignal; ask: (frame: FoundFrame) => Promise<T> },
): Promise<T[]> {
  const questions = frames.map((frame) => () => ask(frame));
  return listAnswers(questions, signal);
}

/** `func` is sent as text: it may use only what the page's frame has. */
async function evaluate<T, Args extends unknown[]>(
  { tabId, frameId }: Frame,
  func: (...args: Args) => T,
  ...args: Args
): Promise<Awaited<T>> {
  const [injection] = await browser.scripting.executeScript({
    target: { tabId, frameIds: [frameId] },
    func,
    args,
    injectImmediately: true,
  });
  if (!injection || injection.error) throw new Error(`Frame ${frameId} did not answer`, { cause: injection?.error });
  return injection.result as Awaited<T>;
}

/** Closed shadow trees, which extensions may see. https://developer.chrome.com/docs/extensions/reference/api/dom */
function revealShadowRoots(): void {
  const { chrome: ofChrome } = globalThis as {
    chrome?: { dom?: { openOrClosedShadowRoot: (element: Element) => ShadowRoot | null } };
  };
  const rootOf = (element: Element): ShadowRoot | null =>
    element instanceof HTMLElement && ofChrome?.dom
      ? ofChrome.dom.openOrClosedShadowRoot(element)
      : ((element as { openOrClosedShadowRoot?: ShadowRoot | null }).openOrClosedShadowRoot ?? null);
  const visit = (tree: Document | ShadowRoot): void => {
    // A page may hide what its document has by naming an element like it.
    const { prototype } = (tree instanceof Document ? Document : DocumentFragment) as { prototype: Queried };
    for (const element of prototype.querySelectorAll.call(tree, '*')) {
      const root = rootOf(element);
      if (!root) continue;
      if (root.mode === 'closed') globalThis.httpAeProbe!.addShadowRoot(root);
      visit(root);
    }
  };
  visit(document);
}
