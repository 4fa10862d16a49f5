import { once } from 'node:events';
import type { Response } from 'express';
import { AppError } from '#core/app-error.ts';
import type { RunFeed } from './run-feed.ts';

/**
 * Writes RunDetail documents as server-sent events: one at once, one after each change, until the Run has ended, or `mayStill` throws an AppError, because who reads was signed out or removed since. With `sendsChanges`, an event
 * `change` has a RunChange in the place of each document but the first, and of one after those that a slow reader missed. A comment replaces what has not changed. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function streamRunEvents(
  feed: RunFeed,
  {
    sendsChanges,
    response,
    mayStill,
    signal,
  }: { sendsChanges: boolean; response: Response; mayStill: () => Promise<unknown>; signal: AbortSignal },
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    let sent = 0;
    for await (const news of feed.follow(signal)) {
      if (sent > 0) await mayStill();
      const isNext = sent > 0 && news?.version === sent + 1;
      const isTaken = response.write(
        news === null
          ? ': no change\n\n'
          : sendsChanges && isNext
            ? `event: change\ndata: ${news.change}\n\n`
            : `data: ${news.document}\n\n`,
      );
      sent = news?.version ?? sent;
      if (!isTaken) await once(response, 'drain', { signal }); // nothing is kept for a reader that sleeps
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof AppError)) throw error;
  } finally {
    response.end();
  }
}
