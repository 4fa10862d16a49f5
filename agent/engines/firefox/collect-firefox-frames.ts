import { z } from 'zod';
import { answerOf, answerOfPage, areIdle, listAnswers } from '#core/agent/frame-answers.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { PageDocument } from '#core/agent/page-activity/page-documents.ts';
import { findMissedEnds } from '../browser/find-missed-ends.ts';
import { collectedOr, collectReports, reportFrame, type CollectedFrames } from '../browser/collected-frames.ts';
import {
  askFrames,
  evaluateIn,
  evaluateRemote,
  findFrameRealms,
  type FrameRealm,
  probeSandbox,
} from './frame-realms.ts';
import type { FirefoxPage } from './open-firefox-page.ts';
import { ignoreRefusal } from './bidi-connection.ts';

/** Elements of which nothing is asked but whether they have a closed shadow tree. https://w3c.github.io/webdriver-bidi/#type-script-NodeRemoteValue */
const HostsSchema = z.object({
  value: z.array(
    z.object({
      value: z.object({
        shadowRoot: z
          .object({ sharedId: z.string().optional(), value: z.object({ mode: z.string().optional() }).optional() })
          .nullish(),
      }),
    }),
  ),
});

const DataSchema = z.object({ bytes: z.object({ type: z.enum(['string', 'base64']), value: z.string() }) });

const FrameStatusSchema = z.object({ pendingImageCount: z.number(), isLoadingFonts: z.boolean() }).nullable();

/** Whether no frame still loads an image or a font. It may show that another page is there than the browser reported, which is activity. */
export async function areFramesIdle(page: FirefoxPage, looking: Looking): Promise<boolean> {
  const [answers] = await Promise.all([
    askFrames(page, { expression: 'globalThis.httpAeProbe?.status()', signal: looking.signal }),
    findRestored(page, looking),
  ]);
  return areIdle(answers.map((answer) => FrameStatusSchema.parse(answer)));
}

/** Whether the page has set a User Timing mark of one of these names. */
export async function hasMark(
  page: FirefoxPage,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): Promise<boolean> {
  const ask = `globalThis.httpAeProbe?.hasMark(${JSON.stringify(names)})`;
  return (await answerOfPage(evaluateIn(page, ask), { signal })) === true;
}

const ShownSchema = z.object({ url: z.string(), timeOrigin: z.number(), hasLoaded: z.boolean() });

/** How far the clock of a page may be from that of its browser. */
const clockSlackMs = 100;

/** Documents that were found so: each is older than its navigation. */
const shownAgain = new WeakSet<PageDocument>();

interface Looking {
  nowEpochMs: () => number;
  signal: AbortSignal;
}

/**
 * A page that is shown again as it was left has neither an event of its document nor of its load in Firefox: it is known by its age. The page is asked while only its load event is awaited, and
 * once it is quiet: the page after it may have loaded.
 */
async function findRestored(page: FirefoxPage, { nowEpochMs, signal }: Looking): Promise<void> {
  const { recorder } = page;
  const last = recorder.documents.at(-1);
  if (!last?.startEpochMs || shownAgain.has(last)) return;
  const ask = `({ url: location.href, timeOrigin: performance.timeOrigin, hasLoaded: document.readyState === 'complete' })`;
  const shown = ShownSchema.safeParse(await answerOfPage(evaluateIn(page, ask), { signal })).data;
  if (!shown?.hasLoaded || shown.timeOrigin >= last.startEpochMs - clockSlackMs || last !== recorder.documents.at(-1))
    return;
  recorder.apply({
    kind: 'document-came',
    frameId: page.contextId,
    documentId: null,
    url: shown.url,
    atEpochMs: nowEpochMs(),
    isRestored: true,
  });
  shownAgain.add(recorder.documents.at(-1)!);
}

/** Looks for ends of requests, and for a page that is shown again, which Firefox did not report. */
export async function findMissedEvents(page: FirefoxPage, { nowEpochMs, signal }: Looking): Promise<void> {
  const ask = (expression: string) => askFrames(page, { expression, signal });
  if (page.recorder.isLoadAwaited()) await findRestored(page, { nowEpochMs, signal });
  await findMissedEnds({ recorder: page.recorder, ask, nowEpochMs });
}

/** The report of every frame that answers before the signal is aborted. Each is asked by itself: a script of one may never end. */
export async function collectFrames(
  page: FirefoxPage,
  { probeSource, signal }: { probeSource: string; signal: AbortSignal },
): Promise<CollectedFrames> {
  const realms = await collectedOr(findFrameRealms(page), { isPage: true, url: '', signal });
  if ('silences' in realms) return realms;
  return collectReports(
    realms.map((realm) => {
      const isPage = realm.contextId === page.contextId;
      const report = async () => {
        const installed = installWhereMissing(realm, probeSource);
        await (isPage ? installed : answerOf(installed));
        await listAnswers([() => revealShadowRoots(realm)], signal);
        return reportFrame({
          evaluate: (expression) => evaluateIn(realm, expression),
          requests: page.recorder.requests,
          readText: (request) => readText(request, page),
          ignoreRefusal,
        });
      };
      return { isPage, url: realm.url, report };
    }),
    signal,
  );
}

/** A page may have an element of the probe's name. */
async function installWhereMissing(realm: FrameRealm, probeSource: string): Promise<void> {
  const isMissing = await evaluateIn(realm, `typeof globalThis.httpAeProbe?.report !== 'function'`);
  if (isMissing === true) await evaluateRemote(realm, { expression: probeSource });
}

async function readText({ id }: NetworkRequest, { connection, collectorId }: FirefoxPage): Promise<string> {
  const { bytes } = DataSchema.parse(
    await connection.send('network.getData', { dataType: 'response', collector: collectorId, request: id }),
  );
  return bytes.type === 'base64' ? Buffer.from(bytes.value, 'base64').toString() : bytes.value;
}

/**
 * Hands the closed shadow roots of a frame to the probe, which cannot reach them by itself. The browser describes every node that it is asked about: of a whole document of megabytes, it would do so
 * for minutes.
 */
async function revealShadowRoots(realm: FrameRealm): Promise<void> {
  const serializationOptions = { maxDomDepth: 0, includeShadowTree: 'all' };
  while (true) {
    const hosts = HostsSchema.parse(
      await evaluateRemote(realm, { expression: 'httpAeProbe.listHosts()', serializationOptions }),
    ).value;
    if (hosts.length === 0) return;
    const roots = hosts.map(({ value }) => value.shadowRoot).filter((root) => root?.value?.mode === 'closed');
    await Promise.all(
      roots.map((root) =>
        realm.connection.send('script.callFunction', {
          functionDeclaration: '(root) => httpAeProbe.addShadowRoot(root)',
          arguments: [{ sharedId: root?.sharedId }],
          target: { context: realm.contextId, sandbox: probeSandbox },
          awaitPromise: false,
        }),
      ),
    );
  }
}
