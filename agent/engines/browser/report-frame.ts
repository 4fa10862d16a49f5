import { FrameSnapshotSchema } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';

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
