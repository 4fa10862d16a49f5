import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { unlessAborted } from '#core/waiting.ts';
import type { ViewportFilm } from '../browser/browser-page.ts';
import { FrameChoice } from '../browser/frame-choice.ts';
import type { TakenFilmstrip } from '../engine.ts';
import { ignoreRefusal } from './ignore-refusal.ts';

const answerWithinMs = 5_000;
/** Some 40 ms on a machine that does nothing else. */
const firstFrameWithinMs = 1_000;
/** In CSS pixels, and so many of the picture: enough to see what came when. */
const longestSidePx = 400;
const settings: Protocol.Page.StartScreencastRequest = {
  format: 'jpeg',
  quality: 50,
  maxWidth: longestSidePx,
  maxHeight: longestSidePx,
};

/**
 * Films a tab from now on, until it is ended or `lost`. The time of a frame is that of the compositor, for which Chrome writes the time of the vertical blank that it is meant for, on the
 * clock of `performance.timeOrigin`: up to one refresh later than the change, and sometimes later than it arrives.
 */
export async function filmViewport(session: CDPSession, lost: AbortSignal): Promise<ViewportFilm> {
  const choice = new FrameChoice();
  let arrived = Promise.withResolvers<void>();
  const onFrame = ({ data, metadata: { timestamp }, sessionId }: Protocol.Page.ScreencastFrameEvent) => {
    // First of all: after three unacknowledged frames, Chrome drops the next, which may be the last of a look.
    void ignoreRefusal(session.send('Page.screencastFrameAck', { sessionId }));
    if (timestamp === undefined) return;
    choice.add({ shownEpochMs: timestamp * 1000, base64: data });
    arrived.resolve();
  };
  session.on('Page.screencastFrame', onFrame);
  await session.send('Page.startScreencast', settings);
  // A Visit that begins without it may be over before the first frame.
  await Promise.race([arrived.promise, sleep(firstFrameWithinMs, undefined, { ref: false })]);

  const end = async (): Promise<TakenFilmstrip> => {
    let lastInTime: string | undefined;
    const signal = AbortSignal.any([lost, AbortSignal.timeout(answerWithinMs)]);
    try {
      // A new screencast begins with what is there: the last look, should Chrome have thrown it away on a busy host.
      await unlessAborted(session.send('Page.stopScreencast'), signal);
      lastInTime = choice.frames.at(-1)?.base64;
      arrived = Promise.withResolvers();
      await unlessAborted(session.send('Page.startScreencast', settings), signal);
      await unlessAborted(arrived.promise, signal);
      await unlessAborted(session.send('Page.stopScreencast'), signal);
    } catch (error) {
      return { kind: 'absent', reason: `It could not be ended: ${(error as Error).message.slice(0, 4000)}` };
    } finally {
      session.off('Page.screencastFrame', onFrame);
    }
    const frames = choice.frames.map(({ shownEpochMs, base64 }) => ({
      shownEpochMs,
      jpeg: Buffer.from(base64, 'base64'),
    }));
    return { kind: 'taken', frames, leftOut: choice.leftOut, isLastLate: choice.frames.at(-1)?.base64 !== lastInTime };
  };
  return { begin: () => choice.begin(), end };
}
