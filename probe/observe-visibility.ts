export interface VisibilityObserver {
  readonly wasEverHidden: boolean;
}

/** A hidden page neither paints nor loads as a user would see it. */
export function observeVisibility(): VisibilityObserver {
  let wasEverHidden = document.visibilityState === 'hidden';
  document.addEventListener('visibilitychange', () => {
    wasEverHidden ||= document.visibilityState === 'hidden';
  });
  return {
    get wasEverHidden() {
      return wasEverHidden;
    },
  };
}
