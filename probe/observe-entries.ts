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
  // One by one: of a large page, all at once would be more arguments than a call takes.
  const keep = (list: PerformanceEntry[]) => list.forEach((entry) => entries.push(entry as Entry));
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

/** Start and end of an entry, on the wall clock, and what it says of the answer: zeros, of another origin. */
export interface ResourceEnd {
  name: string;
  startEpochMs: number;
  endEpochMs: number;
  status: number;
  receivedBytes: number;
  decodedBytes: number;
}

/** The ends of what came from these addresses. Not from the timeline, which a page may clear or limit, and which keeps 250 entries. */
export function listEnds(resources: EntryObserver<PerformanceResourceTiming>, urls: readonly string[]): ResourceEnd[] {
  const wanted = new Set(urls);
  return resources
    .read()
    .filter(({ name, responseEnd }) => responseEnd > 0 && wanted.has(name))
    .map(({ name, startTime, responseEnd, responseStatus, transferSize, decodedBodySize }) => ({
      name,
      startEpochMs: performance.timeOrigin + startTime,
      endEpochMs: performance.timeOrigin + responseEnd,
      status: responseStatus,
      receivedBytes: transferSize,
      decodedBytes: decodedBodySize,
    }));
}
