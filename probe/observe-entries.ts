export interface EntryObserver<Entry extends PerformanceEntry> {
  /** All entries so far, those included that the browser has not handed over yet. */
  read(): readonly Entry[];
}

/**
 * Keeps every performance entry of these types. Asking the timeline at the end would not do: a page may clear it, and its buffer
 * of resources has an end.
 */
export function observeEntries<Entry extends PerformanceEntry>(
  ...types: (string | { type: string; durationThreshold: number })[]
): EntryObserver<Entry> {
  const entries: Entry[] = [];
  const keep = (list: PerformanceEntry[]) => entries.push(...(list as Entry[]));
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  // A type that the browser does not know is ignored, with a warning in its console.
  for (const type of types) observer.observe({ ...(typeof type === 'string' ? { type } : type), buffered: true });
  return {
    read: () => {
      keep(observer.takeRecords());
      return entries;
    },
  };
}

/** Null where the browser has no entries of this type: without them, nothing is known. */
export function observeKnownEntries<Entry extends PerformanceEntry>(type: string): EntryObserver<Entry> | null {
  return PerformanceObserver.supportedEntryTypes.includes(type) ? observeEntries<Entry>(type) : null;
}
