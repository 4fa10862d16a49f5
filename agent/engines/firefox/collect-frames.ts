import { z } from 'zod';
import { FrameSnapshotSchema } from '#core/metrics/snapshot.ts';
import { unlessAborted } from '#core/unless-aborted.ts';
import { findMissedEnds } from '../browser/find-missed-ends.ts';
import { collectedOr, collectReports, type CollectedFrames } from '../browser/collected-frames.ts';
import { listAnswers } from '../browser/list-answers.ts';
import { askFrames, evaluateIn, evaluateRemote, findFrameRealms, type FrameRealm } from './frame-realms.ts';
import type { FirefoxPage } from './open-page.ts';
import { revealShadowRoots } from './reveal-shadow-roots.ts';
import { revealStyleSheets } from './reveal-style-sheets.ts';

const FrameStatusSchema = z.object({ pendingImageCount: z.number(), isLoadingFonts: z.boolean() }).nullable();
const UnknownFontsSchema = FrameSnapshotSchema.pick({ undeclaredFontFamilies: true, opaqueStyleSheets: true });

/** Whether no frame still loads an image or a font. */
export async function areFramesIdle(page: FirefoxPage, signal: AbortSignal): Promise<boolean> {
  const realms = await unlessAborted(findFrameRealms(page), signal);
  const answers = await askFrames(realms, { expression: 'globalThis.httpAeProbe?.status()', signal });
  const statuses = answers.map((answer) => FrameStatusSchema.parse(answer));
  return statuses.every((status) => status === null || (status.pendingImageCount === 0 && !status.isLoadingFonts));
}

/** Whether the page has set a User Timing mark of one of these names. */
export async function hasMark(
  page: FirefoxPage,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): Promise<boolean> {
  const realms = await unlessAborted(findFrameRealms(page), signal);
  const expression = `globalThis.httpAeProbe?.hasMark(${JSON.stringify(names)})`;
  return (await askFrames(realms, { expression, signal })).includes(true);
}

/** Looks for ends of requests that Firefox did not report. */
export async function findMissedEvents(
  page: FirefoxPage,
  { nowEpochMs, signal }: { nowEpochMs: () => number; signal: AbortSignal },
): Promise<void> {
  const ask = async (expression: string) => {
    const realms = await unlessAborted(findFrameRealms(page), signal);
    return askFrames(realms, { expression, signal });
  };
  await findMissedEnds({ recorder: page.recorder, ask, nowEpochMs });
}

/** The report of every frame that answers before the signal is aborted. Each is asked by itself: a script of one may never end. */
export async function collectFrames(
  page: FirefoxPage,
  { probeSource, signal }: { probeSource: string; signal: AbortSignal },
): Promise<CollectedFrames> {
  const realms = await collectedOr(findFrameRealms(page), { isPage: true, signal });
  if ('silences' in realms) return realms;
  return collectReports(
    realms.map((realm) => ({
      isPage: realm.contextId === page.contextId,
      report: async () => {
        await installWhereMissing(realm, probeSource);
        await listAnswers([() => revealShadowRoots(realm)], signal);
        return reportFrame(realm, page);
      },
    })),
    signal,
  );
}

/** A page may have an element of the probe's name. */
async function installWhereMissing(realm: FrameRealm, probeSource: string): Promise<void> {
  const isMissing = await evaluateIn(realm, `typeof globalThis.httpAeProbe?.report !== 'function'`);
  if (isMissing === true) await evaluateRemote(realm, { expression: probeSource });
}

async function reportFrame(realm: FrameRealm, page: FirefoxPage): Promise<unknown> {
  const report = await evaluateIn(realm, 'httpAeProbe.report()');
  const { undeclaredFontFamilies, opaqueStyleSheets } = UnknownFontsSchema.parse(report);
  if (undeclaredFontFamilies.length === 0 || opaqueStyleSheets.length === 0) return report;
  await revealStyleSheets(realm, { page, urls: opaqueStyleSheets });
  return evaluateIn(realm, 'httpAeProbe.report()');
}
