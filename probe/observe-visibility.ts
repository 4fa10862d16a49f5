import { listen, page } from './page-natives.ts';

export interface VisibilityObserver {
  readonly wasEverHidden: boolean;
}

/** A hidden page neither paints nor loads as a user would see it. */
export function observeVisibility(): VisibilityObserver {
  let wasEverHidden = page.visibilityState === 'hidden';
  listen(document, 'visibilitychange', () => {
    wasEverHidden ||= page.visibilityState === 'hidden';
  });
  return {
    get wasEverHidden() {
      return wasEverHidden;
    },
  };
}
