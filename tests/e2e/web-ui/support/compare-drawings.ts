import sharp from 'sharp';
import type { Browser } from 'playwright-core';

interface Size {
  widthPx: number;
  heightPx: number;
}

const reachPx = 2;
const alikeWithin = 72;

/**
 * The part of the ink of either drawing that has nothing like it in the other within two pixels: 0 where they show the same. Both in the size of the SVG.
 * A line that only one of them has is some per cent of all ink; letters that are set a pixel apart are nothing.
 */
export async function compareDrawings(
  browser: Browser,
  { svg, png }: { svg: string; png: Buffer },
): Promise<{ onlyInSvg: number; onlyInPng: number }> {
  const [, widthPx, heightPx] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number) as [number, number, number];
  const size = { widthPx, heightPx };
  const [drawn, reference] = await Promise.all(
    [sharp(await rasterize(browser, svg, size)), sharp(png)].map((image) =>
      image.resize(widthPx, heightPx, { fit: 'fill' }).removeAlpha().raw().toBuffer(),
    ),
  );
  return {
    onlyInSvg: inkWithoutCounterpart(drawn!, reference!, size),
    onlyInPng: inkWithoutCounterpart(reference!, drawn!, size),
  };
}

/** As a browser shows the file. */
async function rasterize(browser: Browser, svg: string, { widthPx, heightPx }: Size): Promise<Buffer> {
  const context = await browser.newContext({ viewport: { width: widthPx, height: heightPx }, deviceScaleFactor: 3 });
  try {
    const page = await context.newPage();
    await page.setContent(
      `<style>body { margin: 0 } img { display: block; width: 100vw; height: 100vh }</style><img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`,
    );
    return await page.screenshot();
  } finally {
    await context.close();
  }
}

function inkWithoutCounterpart(image: Buffer, other: Buffer, size: Size): number {
  const { widthPx, heightPx } = size;
  let ink = 0;
  let alone = 0;
  for (let y = 0; y < heightPx; y += 1) {
    for (let x = 0; x < widthPx; x += 1) {
      const at = 3 * (y * widthPx + x);
      if (Math.min(image[at]!, image[at + 1]!, image[at + 2]!) > 225) continue;
      ink += 1;
      if (!hasCounterpart(image, other, { x, y, ...size })) alone += 1;
    }
  }
  if (ink === 0) throw new Error('The drawing is empty');
  return alone / ink;
}

function hasCounterpart(
  image: Buffer,
  other: Buffer,
  { x, y, widthPx, heightPx }: Size & { x: number; y: number },
): boolean {
  const at = 3 * (y * widthPx + x);
  for (let row = Math.max(0, y - reachPx); row <= Math.min(heightPx - 1, y + reachPx); row += 1) {
    for (let column = Math.max(0, x - reachPx); column <= Math.min(widthPx - 1, x + reachPx); column += 1) {
      const there = 3 * (row * widthPx + column);
      if ([0, 1, 2].every((channel) => Math.abs(image[at + channel]! - other[there + channel]!) <= alikeWithin))
        return true;
    }
  }
  return false;
}
