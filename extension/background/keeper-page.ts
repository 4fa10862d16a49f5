/** Chrome only: a page without a window. https://developer.chrome.com/docs/extensions/reference/api/offscreen */
interface Offscreen {
  createDocument(parameters: { url: string; reasons: string[]; justification: string }): Promise<void>;
  closeDocument(): Promise<void>;
  hasDocument(): Promise<boolean>;
}

const { chrome } = globalThis as { chrome?: { offscreen?: Offscreen } };

/**
 * Holds a page that outlives the background, and starts it again at once when it dies in the midst of a Pass (an alarm comes only every 30 s, which
 * is longer than the Controller waits). Firefox has no such page; its alarm has to do.
 */
export class KeeperPage {
  #done: Promise<void> = Promise.resolve();

  keep(isNeeded: boolean): void {
    const { offscreen } = chrome ?? {};
    if (!offscreen) return;
    this.#done = this.#done
      .then(() => setKept(offscreen, isNeeded))
      .catch((error: unknown) => console.error('The keeper page could not be changed', error));
  }
}

async function setKept(offscreen: Offscreen, isNeeded: boolean): Promise<void> {
  const isThere = await offscreen.hasDocument();
  if (isNeeded && !isThere) {
    await offscreen.createDocument({
      url: 'keeper/keeper.html',
      reasons: ['WORKERS'],
      justification: 'Starts the service worker again when it dies while a page is measured',
    });
  }
  if (!isNeeded && isThere) await offscreen.closeDocument();
}
