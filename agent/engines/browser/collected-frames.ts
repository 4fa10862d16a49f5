import { ZodError } from 'zod';
import { describeExcessOf, FrameSnapshotSchema, type FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { unlessAborted } from '#core/waiting.ts';
import { askInTurns, SilentFrame } from '#core/agent/frame-answers.ts';
import { explainBusyPage, VisitFailure } from '#core/agent/visit-failure.ts';

/** The probe threw in a frame: a fault of HTTP-AE, not of the page. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';
}

/** Why a frame has no report: it has more than a Snapshot takes; the probe threw; it, or its document, went away; or it did not answer in time. */
export type FrameSilence =
  | { kind: 'too-large' | 'probe-error'; detail: string }
  | { kind: 'gone'; detail: string }
  | { kind: 'no-answer' };

export interface CollectedFrames {
  /** Of every frame that answered. */
  frames: FrameSnapshot[];
  /** Of the others, that of the page itself first. */
  silences: { isPage: boolean; url: string; silence: FrameSilence }[];
}

interface AskedFrame {
  isPage: boolean;
  url: string;
  /** Asks for the report, which is any JSON. */
  report: () => Promise<unknown>;
}

/** The report of every frame that answers before the signal is aborted, and of the others why not. One does not hold up the others. */
export async function collectReports(asked: readonly AskedFrame[], signal: AbortSignal): Promise<CollectedFrames> {
  const answers = await askInTurns(
    asked.map(
      ({ report }) =>
        async () =>
          FrameSnapshotSchema.parse(await report()),
    ),
    signal,
  );
  const found = answers.map((answer, index): CollectedFrames => {
    if (answer.status === 'fulfilled') return { frames: [answer.value], silences: [] };
    const silence: FrameSilence =
      answer.reason === signal.reason ? { kind: 'no-answer' } : describeSilence(answer.reason);
    const { isPage, url } = asked[index]!;
    return { frames: [], silences: [{ isPage, url, silence }] };
  });
  return mergeCollected(found);
}

/** What was found, or, where that failed, that the frame which was asked has no report. */
export async function collectedOr<T>(
  found: Promise<T>,
  { isPage, url, signal }: { isPage: boolean; url: string; signal: AbortSignal },
): Promise<T | CollectedFrames> {
  try {
    return await unlessAborted(found, signal);
  } catch (error) {
    const silence: FrameSilence = signal.aborted ? { kind: 'no-answer' } : describeSilence(error);
    return { frames: [], silences: [{ isPage, url, silence }] };
  }
}

export function mergeCollected(parts: readonly CollectedFrames[]): CollectedFrames {
  return {
    frames: parts.flatMap(({ frames }) => frames),
    silences: parts.flatMap(({ silences }) => silences).sort((a, b) => Number(b.isPage) - Number(a.isPage)),
  };
}

function describeSilence(error: unknown): FrameSilence {
  if (error instanceof SilentFrame) return { kind: 'no-answer' };
  const detail = error instanceof Error ? error.message : String(error);
  const excess = describeExcessOf(error);
  if (excess !== null) return { kind: 'too-large', detail: excess };
  const isOurs = error instanceof ProbeError || error instanceof ZodError;
  return isOurs ? { kind: 'probe-error', detail } : { kind: 'gone', detail };
}

/** Why a page that came has no report. */
export function explainSilence(
  silence: FrameSilence | undefined,
  {
    withinMs,
    isAnswering,
    shownUrl,
    frameCount,
  }: { withinMs: number; isAnswering: boolean; shownUrl: string | null; frameCount: number },
): VisitFailure {
  if (shownUrl !== null && !/^https?:/.test(shownUrl))
    return new VisitFailure('unsupported-content', `The browser shows a page of its own there: ${shownUrl}`);
  if (silence?.kind === 'too-large') return new VisitFailure('too-large', silence.detail);
  if (silence?.kind === 'probe-error')
    return new VisitFailure(
      'engine-error',
      `The probe of HTTP-AE failed in this page, please report it: ${silence.detail}`,
    );
  if (silence?.kind === 'gone')
    return new VisitFailure(
      'navigated-away',
      `The document was replaced by another, again and again, while it was read out: ${silence.detail}`,
    );
  return isAnswering
    ? new VisitFailure('timeout', `The page answers, but has more to report than it can within ${withinMs} ms`)
    : explainBusyPage({ withinMs, frameCount });
}

const UnknownFontsSchema = FrameSnapshotSchema.pick({ undeclaredFontFamilies: true, opaqueStyleSheets: true });

interface FrameToReport {
  evaluate: (expression: string) => Promise<unknown>;
  /** Of the page. */
  requests: readonly NetworkRequest[];
  /** The text of a style sheet; null where nobody has it. */
  readText: (request: NetworkRequest) => Promise<string | null>;
  /** Awaits a command that the browser may refuse. */
  ignoreRefusal: (command: Promise<unknown>) => Promise<void>;
}

/** The report of the probe in a frame. Style sheets that the page may not read are handed to the probe, with those that they import. */
export async function reportFrame({ evaluate, requests, readText, ignoreRefusal }: FrameToReport): Promise<unknown> {
  const report = await evaluate('httpAeProbe.report()');
  const { undeclaredFontFamilies, opaqueStyleSheets } = UnknownFontsSchema.parse(report);
  if (undeclaredFontFamilies.length === 0 || opaqueStyleSheets.length === 0) return report;
  const reveal = async (sheet: NetworkRequest) => {
    const text = await readText(sheet);
    if (text !== null) await evaluate(`httpAeProbe.addStyleSheet(${JSON.stringify({ url: sheet.url, text })})`);
  };
  // The browser may have forgotten a body by now: then that sheet stays opaque.
  await Promise.all(findSheets(requests, opaqueStyleSheets).map((sheet) => ignoreRefusal(reveal(sheet))));
  return evaluate('httpAeProbe.report()');
}

/** The requests for some style sheets and for those that they import, in their order, so that an imported sheet stands after the one that imports it. */
function findSheets(requests: readonly NetworkRequest[], urls: readonly string[]): NetworkRequest[] {
  const known = new Set(urls);
  const sheets: NetworkRequest[] = [];
  for (const request of requests) {
    const { type, url, initiatorUrl } = request;
    if (type !== 'style-sheet' || !(known.has(url) || (initiatorUrl !== null && known.has(initiatorUrl)))) continue;
    known.add(url); // what it imports is known by it
    sheets.push(request);
  }
  return sheets;
}
