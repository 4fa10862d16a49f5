export interface ElementEvent {
  atMs: number;
  failed: boolean;
}

export interface ElementEvents {
  /** The last load or error event of an element; null when none was seen. */
  of(element: Element): ElementEvent | null;
}

/** Load and error events of images, frames and their like: the end of an object that no timing entry shows. */
export function observeElementEvents(): ElementEvents {
  const events = new WeakMap<Element, ElementEvent>();
  const watch = (type: 'load' | 'error') => {
    const keep = ({ target }: Event) => {
      if (target instanceof Element) events.set(target, { atMs: performance.now(), failed: type === 'error' });
    };
    // These events do not bubble; only capturing sees them from above.
    addEventListener(type, keep, { capture: true, passive: true });
  };
  watch('load');
  watch('error');
  return { of: (element) => events.get(element) ?? null };
}
