import type { CDPSession } from 'puppeteer-core';
import { z } from 'zod';
import { answerOf, answerOfPage, areIdle, askInTurns, listAnswers } from '#core/agent/frame-answers.ts';
import type { FrameSnapshot, NetworkRequest } from '#core/metrics/snapshot.ts';
import { isOfViewer } from '#core/agent/page-activity/frame-tree.ts';
import { findMissedEnds } from '../browser/find-missed-ends.ts';
import { collectedOr, collectReports, mergeCollected, type CollectedFrames } from '../browser/collected-frames.ts';
import { askFrames, evaluateIn, findMainWorld, findWorldsOfSession, type FrameWorld } from './frame-worlds.ts';
import type { ChromePage } from './open-chrome-page.ts';
import { revealShadowRoots } from './reveal-shadow-roots.ts';
import { reportFrame } from '../browser/report-frame.ts';
import { ignoreRefusal } from './ignore-refusal.ts';

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
      [...page.frameSessions].map((session) => collectFramesOf(session, { page, probeSource, signal })),
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
