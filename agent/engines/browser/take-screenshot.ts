import { maximumPictureBytes } from '#core/protocol/picture.ts';
import { unlessAborted } from '#core/unless-aborted.ts';
import type { TakenScreenshot } from '../engine.ts';
import type { BrowserPage } from './browser-page.ts';

const answerWithinMs = 10_000;

/** In percent, as JPEG has it; the next where a picture is too large. */
const qualities = [70, 30];

/** The picture of a page that was measured already. That there is none is no failure of its Visit. */
export async function takeScreenshot(page: BrowserPage): Promise<TakenScreenshot> {
  const signal = AbortSignal.any([page.lost, AbortSignal.timeout(answerWithinMs)]);
  try {
    for (const quality of qualities) {
      const jpeg = await unlessAborted(page.captureViewport(quality), signal);
      if (jpeg.length <= maximumPictureBytes) return { kind: 'taken', jpeg };
    }
    return { kind: 'absent', reason: `It would have more than ${maximumPictureBytes} bytes` };
  } catch (error) {
    return { kind: 'absent', reason: `It could not be taken: ${(error as Error).message.slice(0, 4000)}` };
  }
}
