import type { CDPSession } from 'puppeteer-core';
import { z } from 'zod';
import { FrameSnapshotSchema, type NetworkRequest } from '#core/metrics/snapshot.ts';
import { findMissedEnds } from '../browser/find-missed-ends.ts';
import {
  askInTurns,
  collectedOr,
  collectReports,
  listAnswers,
  mergeCollected,
  type CollectedFrames,
} from '../browser/collected-frames.ts';
import { evaluateIn, findFrameWorlds, findWorldsOfSession, type FrameWorld } from './frame-worlds.ts';
import type { ChromePage } from './open-chrome-page.ts';
import { revealShadowRoots } from './reveal-shadow-roots.ts';
import { findSheets } from '../browser/find-sheets.ts';
import { ignoreRefusal } from './ignore-refusal.ts';

const FrameStatusSchema = z.object({ pendingImageCount: z.number(), isLoadingFonts: z.boolean() });
const UnknownFontsSchema = FrameSnapshotSchema.pick({ undeclaredFontFamilies: true, opaqueStyleSheets: true });

/** Whether no frame still loads an image or a font. */
export async function areFramesIdle(page: ChromePage, signal: AbortSignal): Promise<boolean> {
  const worlds = await findFrameWorlds(page, signal);
  const answers = await listAnswers(
    worlds.map((world) => () => evaluateIn(world, 'globalThis.httpAeProbe?.status()')),
    signal,
  );
  // A frame without the probe has no scripts, and the network shows all that it loads.
  const statuses = answers.filter((answer) => answer !== undefined).map((answer) => FrameStatusSchema.parse(answer));
  return statuses.every(({ pendingImageCount, isLoadingFonts }) => pendingImageCount === 0 && !isLoadingFonts);
}

/** Whether the page has set a User Timing mark of one of these names. */
export async function hasMark(
  page: ChromePage,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): Promise<boolean> {
  const worlds = await findFrameWorlds(page, signal);
  const ask = `globalThis.httpAeProbe?.hasMark(${JSON.stringify(names)})`;
  const answers = await listAnswers(
    worlds.map((world) => () => evaluateIn(world, ask)),
    signal,
  );
  return answers.includes(true);
}

/** Looks for ends of requests that Chrome did not report. Its load events always come, but for a page that is shown again as it was left. */
export async function findMissedEvents(
  page: ChromePage,
  { nowEpochMs, signal }: { nowEpochMs: () => number; signal: AbortSignal },
): Promise<void> {
  const ask = async (expression: string) => {
    const worlds = await findFrameWorlds(page, signal);
    return listAnswers(
      worlds.map((world) => () => evaluateIn(world, expression)),
      signal,
    );
  };
  await findMissedEnds({ recorder: page.recorder, ask, nowEpochMs });
}

/** The report of every frame that answers before the signal is aborted. Each process is asked by itself: one may have a script without end. */
export async function collectFrames(
  page: ChromePage,
  { probeSource, signal }: { probeSource: string; signal: AbortSignal },
): Promise<CollectedFrames> {
  return mergeCollected(
    await Promise.all(
      [...page.frameSessions].map((session) => collectFramesOf(session, { page, probeSource, signal })),
    ),
  );
}

async function collectFramesOf(
  session: CDPSession,
  { page, probeSource, signal }: { page: ChromePage; probeSource: string; signal: AbortSignal },
): Promise<CollectedFrames> {
  const isMain = session === page.main;
  const worlds = await collectedOr(findWorldsOfSession(session), { isPage: isMain, signal });
  if ('silences' in worlds) return worlds;
  if (isMain && !worlds.some(({ isRoot }) => isRoot))
    return { frames: [], silences: [{ isPage: true, silence: { kind: 'gone', detail: 'it has no world' } }] };
  const installed = await askInTurns(
    worlds.map((world) => () => installWhereMissing(world, probeSource)),
    signal,
  );
  await listAnswers([() => revealShadowRoots(session, worlds)], signal);
  return collectReports(
    worlds.map((world, index) => ({
      isPage: isMain && world.isRoot,
      report: async () => {
        const install = installed[index]!;
        if (install.status === 'rejected') throw install.reason;
        return reportFrame(world, page);
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

async function reportFrame(world: FrameWorld, page: ChromePage): Promise<unknown> {
  const report = await evaluateIn(world, 'httpAeProbe.report()');
  const { undeclaredFontFamilies, opaqueStyleSheets } = UnknownFontsSchema.parse(report);
  if (undeclaredFontFamilies.length === 0 || opaqueStyleSheets.length === 0) return report;
  await revealStyleSheets(world, { page, urls: opaqueStyleSheets });
  return evaluateIn(world, 'httpAeProbe.report()');
}

/** Hands the text of style sheets that the page may not read to the probe, and of those that they import. */
async function revealStyleSheets(
  world: FrameWorld,
  { page, urls }: { page: ChromePage; urls: readonly string[] },
): Promise<void> {
  const sheets = findSheets(page.recorder.requests, urls);
  // The browser may have forgotten a body by now: then that sheet stays opaque.
  await Promise.all(sheets.map((sheet) => ignoreRefusal(reveal(sheet, { world, page }))));
}

async function reveal(
  { id, url }: NetworkRequest,
  { world, page }: { world: FrameWorld; page: ChromePage },
): Promise<void> {
  const session = page.recorder.sessionOf(id);
  if (!session) return;
  const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId: id });
  const text = base64Encoded ? Buffer.from(body, 'base64').toString() : body;
  await evaluateIn(world, `httpAeProbe.addStyleSheet(${JSON.stringify({ url, text })})`);
}
