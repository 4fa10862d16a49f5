import browser from 'webextension-polyfill';

interface Viewport {
  widthPx: number;
  heightPx: number;
}

const settleMs = 20;
const tries = 10;

/** Makes the window so large that its page has this viewport, and gives the viewport that it came to: a screen may be too small. */
export async function fitViewport({
  windowId,
  tabId,
  viewport,
}: {
  windowId: number;
  tabId: number;
  viewport: Viewport;
}): Promise<Viewport> {
  let got = await readViewport(tabId);
  for (let attempt = 0; attempt < tries && !isSame(got, viewport); attempt++) {
    const { width = 0, height = 0 } = await browser.windows.get(windowId);
    const before = got;
    const size = { width: width + viewport.widthPx - got.widthPx, height: height + viewport.heightPx - got.heightPx };
    // A browser may refuse what does not fit on the screen: then as much of it as does.
    if (!(await resize(windowId, size)) && !(await fitToScreen(windowId, size))) break;
    // Window managers answer when they like; a window that does not follow at all is as large as it can be.
    await new Promise((resolve) => setTimeout(resolve, settleMs * (attempt + 1)));
    got = await readViewport(tabId);
    if (attempt > 2 && isSame(got, before)) break;
  }
  return got;
}

/**
 * Why a window does not have this viewport: its screen is too small for it. Null where it is not, as where a window manager gives windows their sizes: the
 * Snapshot then has the viewport that it gave.
 */
export async function explainSmallScreen(
  { windowId, tabId, viewport: got }: { windowId: number; tabId: number; viewport: Viewport },
  wanted: Viewport,
): Promise<string | null> {
  if (isSame(got, wanted)) return null;
  await browser.windows.update(windowId, { state: 'maximized' });
  await new Promise((resolve) => setTimeout(resolve, settleMs * tries));
  const largest = await readViewport(tabId);
  await browser.windows.update(windowId, { state: 'normal' });
  if (wanted.widthPx <= largest.widthPx && wanted.heightPx <= largest.heightPx) return null;
  return `the viewport of ${describe(wanted)} does not fit on this screen, whose largest window has ${describe(largest)}: set "viewport" to at most that`;
}

/** False when the browser refuses: the window would not fit on the screen. */
async function resize(windowId: number, size: { width: number; height: number }): Promise<boolean> {
  try {
    await browser.windows.update(windowId, size);
    return true;
  } catch (error) {
    console.warn('The window cannot be made as large as the viewport asks', error);
    return false;
  }
}

/** Makes the window as large as the screen lets it be, at most of this size. A maximized window shows how much that is. */
async function fitToScreen(windowId: number, wanted: { width: number; height: number }): Promise<boolean> {
  try {
    await browser.windows.update(windowId, { state: 'maximized' });
    const { width = 0, height = 0 } = await browser.windows.get(windowId);
    await browser.windows.update(windowId, { state: 'normal' });
    return await resize(windowId, { width: Math.min(wanted.width, width), height: Math.min(wanted.height, height) });
  } catch (error) {
    console.warn('The window cannot be fitted to the screen', error);
    return false;
  }
}

/** In CSS pixels: a person may have set another zoom. */
export async function readViewport(tabId: number): Promise<Viewport> {
  const { width = 0, height = 0 } = await browser.tabs.get(tabId);
  const zoom = await browser.tabs.getZoom(tabId);
  return { widthPx: Math.round(width / zoom), heightPx: Math.round(height / zoom) };
}

function describe({ widthPx, heightPx }: Viewport): string {
  return `${widthPx} × ${heightPx} pixels`;
}

function isSame(a: Viewport, b: Viewport): boolean {
  return a.widthPx === b.widthPx && a.heightPx === b.heightPx;
}
