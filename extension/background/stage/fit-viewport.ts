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
    if (!(await resize(windowId, size))) break;
    // Window managers answer when they like; a window that does not follow at all is as large as it can be.
    await new Promise((resolve) => setTimeout(resolve, settleMs * (attempt + 1)));
    got = await readViewport(tabId);
    if (attempt > 2 && isSame(got, before)) break;
  }
  return got;
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

async function readViewport(tabId: number): Promise<Viewport> {
  const { width = 0, height = 0 } = await browser.tabs.get(tabId);
  return { widthPx: width, heightPx: height };
}

function isSame(a: Viewport, b: Viewport): boolean {
  return a.widthPx === b.widthPx && a.heightPx === b.heightPx;
}
