import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { reportWithSheets, type FrameReport } from './ask-frames.ts';
import { unlessAborted } from '#core/waiting.ts';
import { findSheetTexts, parseStyleSheets } from './parse-mhtml.ts';

/** A page with more in it is not read: its text would fill the memory of the background. */
const maximumBytes = 64 * 2 ** 20;
const maximumAttempts = 20;

/** https://developer.chrome.com/docs/extensions/reference/api/pageCapture */
interface PageCapture {
  saveAsMHTML(details: { tabId: number }): Promise<Blob | undefined>;
}

export interface Page {
  tabId: number;
  /** Of style sheets that others import the importer is noted. */
  requests: readonly NetworkRequest[];
  signal: AbortSignal;
}

/** The reports of all frames, which style sheets hide nothing from that the page may not read, where their texts can be had. */
export async function revealStyleSheets(
  reports: readonly FrameReport[],
  { tabId, requests, signal }: Page,
): Promise<FrameSnapshot[]> {
  const hidden = reports.flatMap(({ report }) => report.opaqueStyleSheets);
  const areNeeded =
    reports.some(({ report }) => hidesFonts(report)) || findUnexplainedSheets(reports, requests).length > 0;
  if (hidden.length === 0 || !areNeeded) return reports.map(({ report }) => report);

  const texts = await readStyleSheets(tabId, signal);
  noteImporters(requests, findSheetTexts(hidden, texts));
  return Promise.all(reports.map((each) => revealFonts(each, { texts, signal })));
}

async function revealFonts(
  each: FrameReport,
  { texts, signal }: { texts: ReadonlyMap<string, string>; signal: AbortSignal },
): Promise<FrameSnapshot> {
  const sheets = hidesFonts(each.report) ? findSheetTexts(each.report.opaqueStyleSheets, texts) : [];
  return sheets.length === 0 ? each.report : reportWithSheets(each, { sheets, signal });
}

function hidesFonts({ undeclaredFontFamilies, opaqueStyleSheets }: FrameSnapshot): boolean {
  return undeclaredFontFamilies.length > 0 && opaqueStyleSheets.length > 0;
}

/** Sheets that no entry of a page names: imported by one that the page may not read. */
function findUnexplainedSheets(reports: readonly FrameReport[], requests: readonly NetworkRequest[]): NetworkRequest[] {
  const known = new Set(reports.flatMap(({ report }) => report.resources.map(({ name }) => name)));
  return requests.filter(({ type, hop, url }) => type === 'style-sheet' && hop === 0 && !known.has(url));
}

/** Chrome names the origin alone that made a request. */
function noteImporters(
  requests: readonly NetworkRequest[],
  sheets: readonly { url: string; importerUrl: string | null }[],
): void {
  const importerOf = new Map(sheets.map(({ url, importerUrl }) => [url, importerUrl]));
  for (const request of requests)
    if (request.type === 'style-sheet') request.initiatorUrl ??= importerOf.get(request.url) ?? null;
}

/**
 * The texts of a page's style sheets by address, of other origins too, as Chrome holds them in memory: nothing is requested over the network. None where
 * the page does not answer or is too large. In Firefox, whose extensions may read the rules of every sheet, there is nothing to call this for.
 */
async function readStyleSheets(tabId: number, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { chrome: ofChrome } = globalThis as { chrome?: { pageCapture?: PageCapture } };
  if (!ofChrome?.pageCapture) return new Map();
  for (let attempt = 0; attempt < maximumAttempts; attempt++) {
    try {
      const archive = await unlessAborted(ofChrome.pageCapture.saveAsMHTML({ tabId }), signal);
      return archive && archive.size <= maximumBytes ? parseStyleSheets(await archive.text()) : new Map();
    } catch (error) {
      console.debug('The browser did not save the page', error);
      if (!isFileRemoved(error)) break;
    }
  }
  // The sheets stay hidden, and the Readings that need them say so.
  return new Map();
}

/** Chrome passes the saved page in a temporary file. On a busy machine it often removes the file before the page is read. */
function isFileRemoved(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}
