import type { ChromePage } from './open-page.ts';

const longestSidePx = 1600;

/** What the viewport shows now, as a JPEG; large viewports and fine screens are scaled down. `quality`: in percent. */
export async function captureViewport(
  { main, viewport: { widthPx, heightPx } }: ChromePage,
  { quality, deviceScaleRatio = 1 }: { quality: number; deviceScaleRatio?: number | undefined },
): Promise<Buffer> {
  const { cssVisualViewport } = await main.send('Page.getLayoutMetrics');
  const scale = Math.min(1, longestSidePx / widthPx, longestSidePx / heightPx) / deviceScaleRatio;
  const clip = { x: cssVisualViewport.pageX, y: cssVisualViewport.pageY, width: widthPx, height: heightPx, scale };
  const { data } = await main.send('Page.captureScreenshot', { format: 'jpeg', quality, clip });
  return Buffer.from(data, 'base64');
}
