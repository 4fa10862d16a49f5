import { unlessAborted } from '#core/unless-aborted.ts';
import { parseStyleSheets } from './parse-mhtml.ts';

/** A page with more in it is not read: its text would fill the memory of the background. */
const maximumBytes = 64 * 2 ** 20;
const maximumAttempts = 20;

/** https://developer.chrome.com/docs/extensions/reference/api/pageCapture */
interface PageCapture {
  saveAsMHTML(details: { tabId: number }): Promise<Blob | undefined>;
}

/**
 * The texts of a page's style sheets by address, of other origins too, as Chrome holds them in memory: nothing is requested over the network. None where
 * the page does not answer or is too large. In Firefox, whose extensions may read the rules of every sheet, there is nothing to call this for.
 */
export async function readStyleSheets(tabId: number, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
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
