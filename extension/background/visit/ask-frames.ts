import browser from 'webextension-polyfill';
import { FrameSnapshotSchema, type FrameSnapshot } from '#core/metrics/snapshot.ts';
import { unlessAborted } from '#core/unless-aborted.ts';
import type {} from '#probe/page-probe.ts';

/** The probe, as `extension/vite.config.ts` puts it beside this script. */
export const probeFile = 'page-probe.js';

interface Frame {
  tabId: number;
  frameId: number;
}

/** Into the isolated world of one frame, as early as the browser allows; twice in the same document changes nothing. */
export async function installProbe({ tabId, frameId }: Frame): Promise<void> {
  await browser.scripting.executeScript({ target: { tabId, frameIds: [frameId] }, files: [probeFile], injectImmediately: true });
}

/** Whether no frame still loads an image or a font. */
export async function areFramesIdle(tabId: number, signal: AbortSignal): Promise<boolean> {
  const statuses = await askFrames(tabId, { signal, ask: (frame) => evaluate(frame, () => globalThis.httpAeProbe?.status() ?? null) });
  return statuses.every((status) => status === null || (status.pendingImageCount === 0 && !status.isLoadingFonts));
}

/** Whether the load event of the page has fired; false where it does not answer, as while it is exchanged for another. */
export async function hasPageLoaded(tabId: number, signal: AbortSignal): Promise<boolean> {
  const answers = await askFrames(tabId, { signal, ask: (frame) => evaluate(frame, () => window === window.top && /^http/.test(location.protocol) && document.readyState === 'complete') });
  return answers.includes(true);
}

/** The report of every frame that answers before the signal is aborted. */
export async function collectFrames(tabId: number, signal: AbortSignal): Promise<FrameSnapshot[]> {
  const reports = await askFrames(tabId, {
    signal,
    ask: async (frame) => {
      // Scripts may have been forbidden in a frame that changed its address while it was told of.
      await installProbe(frame);
      await evaluate(frame, revealShadowRoots);
      return evaluate(frame, () => globalThis.httpAeProbe!.report());
    },
  });
  return reports.map((report) => FrameSnapshotSchema.parse(report));
}

/** What the frames answered, in order. Frames come and go, and a script of one may never end: one that does not answer is left out. */
async function askFrames<T>(tabId: number, { signal, ask }: { signal: AbortSignal; ask: (frame: Frame) => Promise<T> }): Promise<T[]> {
  const frames = (await browser.webNavigation.getAllFrames({ tabId })) ?? [];
  const answers = await Promise.allSettled(frames.map(({ frameId }) => unlessAborted(ask({ tabId, frameId }), signal)));
  return answers.filter((answer) => answer.status === 'fulfilled').map((answer) => answer.value);
}

/** `func` is sent as text: it may use nothing but what the page's frame has. */
async function evaluate<T>({ tabId, frameId }: Frame, func: () => T): Promise<Awaited<T>> {
  const [injection] = await browser.scripting.executeScript({ target: { tabId, frameIds: [frameId] }, func, injectImmediately: true });
  if (!injection || injection.error) throw new Error(`Frame ${frameId} did not answer`, { cause: injection?.error });
  return injection.result as Awaited<T>;
}

/** Closed shadow trees, which extensions may see. https://developer.chrome.com/docs/extensions/reference/api/dom */
function revealShadowRoots(): void {
  const { chrome: ofChrome } = globalThis as { chrome?: { dom?: { openOrClosedShadowRoot: (element: Element) => ShadowRoot | null } } };
  const rootOf = (element: Element): ShadowRoot | null =>
    element instanceof HTMLElement && ofChrome?.dom
      ? ofChrome.dom.openOrClosedShadowRoot(element)
      : ((element as { openOrClosedShadowRoot?: ShadowRoot | null }).openOrClosedShadowRoot ?? null);
  const visit = (tree: Document | ShadowRoot): void => {
    for (const element of tree.querySelectorAll('*')) {
      const root = rootOf(element);
      if (!root) continue;
      if (root.mode === 'closed') globalThis.httpAeProbe!.addShadowRoot(root);
      visit(root);
    }
  };
  visit(document);
}
