import type { CDPSession, Protocol } from 'puppeteer-core';
import { z } from 'zod';
import { answerOf, answerOfPage, areIdle, askInTurns, listAnswers } from '#core/agent/frame-answers.ts';
import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { isOfViewer } from '#core/agent/page-activity/frame-tree.ts';
import { findMissedEnds } from '../browser/find-missed-ends.ts';
import {
  collectedOr,
  collectReports,
  mergeCollected,
  reportFrame,
  type CollectedFrames,
} from '../browser/collected-frames.ts';
import { ignoreRefusal } from './frame-watch.ts';
import { askFrames, evaluateIn, findMainWorld, findWorldsOfSession, type FrameWorld } from './frame-worlds.ts';
import type { ChromePage } from './open-chrome-page.ts';

const FrameStatusSchema = z.object({ pendingImageCount: z.number(), isLoadingFonts: z.boolean() }).optional();

/** Whether no frame still loads an image or a font. */
export async function areFramesIdle(page: ChromePage, signal: AbortSignal): Promise<boolean> {
  const answers = await askFrames(page, { expression: 'globalThis.httpAeProbe?.status()', signal });
  return areIdle(answers.map((answer) => FrameStatusSchema.parse(answer)));
}

/** Whether the page has set a User Timing mark of one of these names. */
export async function hasMark(
  page: ChromePage,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): Promise<boolean> {
  const ask = `globalThis.httpAeProbe?.hasMark(${JSON.stringify(names)})`;
  const asked = findMainWorld(page).then((world) => evaluateIn(world, ask));
  return (await answerOfPage(asked, { signal })) === true;
}

/** Looks for ends of requests that Chrome did not report. Its load events always come, but for a page that is shown again as it was left. */
export async function findMissedEvents(
  page: ChromePage,
  { nowEpochMs, signal }: { nowEpochMs: () => number; signal: AbortSignal },
): Promise<void> {
  const ask = (expression: string) => askFrames(page, { expression, signal });
  await findMissedEnds({ recorder: page.recorder, ask, nowEpochMs });
}

/** The report of every frame that answers before the signal is aborted. Each process is asked by itself: one may have a script without end. */
export async function collectFrames(
  page: ChromePage,
  { probeSource, signal }: { probeSource: string; signal: AbortSignal },
): Promise<CollectedFrames> {
  const collected = mergeCollected(
    await Promise.all(
      [...page.frameSessions].map((session) =>
        collectFramesOf(session, { page, probeSource, signal: AbortSignal.any([signal, page.crashOf(session)]) }),
      ),
    ),
  );
  return { ...collected, frames: leaveOutViewers(collected.frames) };
}

/** What the browser shows a PDF in is no part of the page. */
function leaveOutViewers(frames: readonly FrameSnapshot[]): FrameSnapshot[] {
  const viewers = frames.filter(({ url }) => isOfViewer(url)).map(({ path }) => path);
  const isWithin = (path: FrameSnapshot['path']) =>
    viewers.some((viewer) => viewer.every((index, depth) => path.length > depth && path[depth] === index));
  return frames.filter(({ path }) => !isWithin(path));
}

async function collectFramesOf(
  session: CDPSession,
  { page, probeSource, signal }: { page: ChromePage; probeSource: string; signal: AbortSignal },
): Promise<CollectedFrames> {
  const isMain = session === page.main;
  const asked = findWorldsOfSession(session);
  const url = page.urlOfSession(session);
  const worlds = await collectedOr(isMain ? asked : answerOf(asked), { isPage: isMain, url, signal });
  if ('silences' in worlds) return worlds;
  if (isMain && !worlds.some(({ isRoot }) => isRoot))
    return { frames: [], silences: [{ isPage: true, url, silence: { kind: 'gone', detail: 'it has no world' } }] };
  const installed = await askInTurns(
    worlds.map((world) => () => installWhereMissing(world, probeSource)),
    signal,
  );
  await listAnswers([() => revealShadowRoots(session, worlds)], signal);
  return collectReports(
    worlds.map((world, index) => ({
      isPage: isMain && world.isRoot,
      url: world.url,
      report: async () => {
        const install = installed[index]!;
        if (install.status === 'rejected') throw install.reason;
        return reportFrame({
          evaluate: (expression) => evaluateIn(world, expression),
          requests: page.recorder.requests,
          readText: (request) => readText(request, page),
          ignoreRefusal,
        });
      },
    })),
    signal,
  );
}

/** A page may forbid scripts in a frame, and the probe with them until now; or have an element of the probe's name. */
async function installWhereMissing(world: FrameWorld, probeSource: string): Promise<void> {
  const isMissing = await evaluateIn(world, `typeof globalThis.httpAeProbe?.report !== 'function'`);
  if (isMissing === true) await evaluateIn(world, probeSource);
}

async function readText({ id }: NetworkRequest, page: ChromePage): Promise<string | null> {
  const session = page.recorder.sessionOf(id);
  if (!session) return null;
  const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId: id });
  return base64Encoded ? Buffer.from(body, 'base64').toString() : body;
}

/** Of so many elements Chrome describes the whole document in less time than the likely hosts one by one. Of a document of megabytes, the description alone is hundreds of megabytes. */
const mostDescribed = 20_000;

/** Hands the closed shadow roots of one session's frames to the probe, which cannot reach them by itself. */
async function revealShadowRoots(session: CDPSession, worlds: readonly FrameWorld[]): Promise<void> {
  const counts = await Promise.all(worlds.map(countElements));
  if (counts.reduce((sum, count) => sum + count, 0) <= mostDescribed) await revealInDocument(session, worlds);
  else await Promise.all(worlds.map((world) => ignoreRefusal(revealOneByOne(world))));
}

/** 0 for a frame that went away meanwhile. */
async function countElements(world: FrameWorld): Promise<number> {
  const count = await evaluateIn(world, 'httpAeProbe.countElements()').catch(() => 0);
  return Number(count);
}

async function revealOneByOne(world: FrameWorld): Promise<void> {
  const { session, contextId } = world;
  const objectGroup = `hosts in ${contextId}`;
  while (true) {
    const expression = 'httpAeProbe.listHosts()';
    const { result: list } = await session.send('Runtime.evaluate', { expression, contextId, objectGroup });
    const { result: items } = await session.send('Runtime.getProperties', {
      objectId: list.objectId!,
      ownProperties: true,
    });
    const hosts = items.flatMap(({ value }) => (value?.subtype === 'node' ? [value.objectId!] : []));
    await Promise.all(
      hosts.map(async (objectId) => {
        const { node } = await session.send('DOM.describeNode', { objectId });
        const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed');
        if (root) await revealIn(world, root.backendNodeId);
      }),
    );
    await session.send('Runtime.releaseObjectGroup', { objectGroup });
    if (hosts.length === 0) return;
  }
}

async function revealInDocument(session: CDPSession, worlds: readonly FrameWorld[]): Promise<void> {
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  try {
    const [rootWorld] = worlds.filter((world) => world.session === session);
    if (!rootWorld) return;
    const closedRoots = findClosedRoots(root, rootWorld.frameId);
    await Promise.all(closedRoots.map((closedRoot) => reveal(closedRoot, worlds)));
  } finally {
    // Asking for the document turned its events on.
    await session.send('DOM.disable');
  }
}

interface ClosedRoot {
  backendNodeId: number;
  frameId: string;
}

function findClosedRoots(node: Protocol.DOM.Node, frameId: string): ClosedRoot[] {
  const { shadowRoots = [], children = [], contentDocument } = node;
  const closed = shadowRoots
    .filter((root) => root.shadowRootType === 'closed')
    .map(({ backendNodeId }) => ({ backendNodeId, frameId }));
  const below = [...shadowRoots, ...children].flatMap((child) => findClosedRoots(child, frameId));
  const framed = contentDocument ? findClosedRoots(contentDocument, node.frameId ?? frameId) : [];
  return [...closed, ...below, ...framed];
}

async function reveal({ backendNodeId, frameId }: ClosedRoot, worlds: readonly FrameWorld[]): Promise<void> {
  const world = worlds.find((candidate) => candidate.frameId === frameId);
  if (world) await revealIn(world, backendNodeId);
}

async function revealIn(world: FrameWorld, backendNodeId: number): Promise<void> {
  const { object } = await world.session.send('DOM.resolveNode', {
    backendNodeId,
    executionContextId: world.contextId,
  });
  if (!object.objectId) return;
  await world.session.send('Runtime.callFunctionOn', {
    objectId: object.objectId,
    functionDeclaration: 'function () { httpAeProbe.addShadowRoot(this); }',
  });
}
