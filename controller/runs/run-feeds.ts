import type { ShownPasses } from '#core/protocol/api/run-contents.ts';
import { RunFeed } from './run-feed.ts';
import type { Services } from '../http/services.ts';

/** The feed of a Run, which all share that watch it at the same time. */
export function shareRunFeeds(services: Services): (id: string, shown: ShownPasses) => RunFeed {
  const feeds = new Map<string, RunFeed>();
  return (id, shown) => {
    const key = `${id} ${shown}`;
    const open = feeds.get(key);
    if (open) return open;
    const feed: RunFeed = new RunFeed(services, {
      id,
      shown,
      onOver: () => {
        if (feeds.get(key) === feed) feeds.delete(key);
      },
    });
    feeds.set(key, feed);
    return feed;
  };
}
