import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { openStage } from './open-stage.ts';

/** A function that opens and closes a window the first time it is called, and does nothing later. */
export function warmUpOnce(): (pageLoad: PageLoad) => Promise<void> {
  let isWarm = false;
  return async (pageLoad) => {
    if (isWarm) return;
    const stage = await openStage(pageLoad);
    await stage[Symbol.asyncDispose]();
    isWarm = true;
  };
}
