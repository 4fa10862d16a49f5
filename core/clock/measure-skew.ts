/** When a User Agent began, on the common clock. Those of one host share a clock, whose error moves all of them alike. */
export interface Start {
  host: string;
  epochMs: number;
  /** Bound of the error of its host's clock. */
  errorMs: number;
}

export interface Skew {
  skewMs: number;
  /** The true skew differs from it by no more than this. */
  errorMs: number;
}

/** The time between the first and the last start, and the bound of its error: between two hosts the errors of both clocks add up, on one host they cancel. Null with fewer than two. */
export function measureSkew(starts: readonly Start[]): Skew | null {
  if (starts.length < 2) return null;
  const hosts = [...Map.groupBy(starts, ({ host }) => host).values()].map((own) => ({
    first: Math.min(...own.map(({ epochMs }) => epochMs)),
    last: Math.max(...own.map(({ epochMs }) => epochMs)),
    errorMs: Math.max(...own.map(({ errorMs }) => errorMs)),
  }));
  let [skewMs, atLeastMs, atMostMs] = [0, 0, 0];
  for (const early of hosts) {
    for (const late of hosts) {
      const apartMs = late.last - early.first;
      const errorMs = early === late ? 0 : early.errorMs + late.errorMs;
      skewMs = Math.max(skewMs, apartMs);
      atLeastMs = Math.max(atLeastMs, apartMs - errorMs);
      atMostMs = Math.max(atMostMs, apartMs + errorMs);
    }
  }
  return { skewMs, errorMs: Math.max(atMostMs - skewMs, skewMs - atLeastMs) };
}
