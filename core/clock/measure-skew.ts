/** When a User Agent began, on the common clock. Those of one host share a clock, whose error moves all of them alike. */
export interface Start {
  host: string;
  epochMs: number;
  /** Bound of the error of its host's clock. */
  errorMs: number;
  /** Of its own instant, on that clock; none unless given. */
  ownErrorMs?: number;
}

export interface Skew {
  skewMs: number;
  /** The true skew differs from it by no more than this. */
  errorMs: number;
}

/** The time between the first and the last start, and the bound of its error: between two hosts the errors of both clocks add up, on one host they cancel. Those of the instants themselves always add up. Null with fewer than two. */
export function measureSkew(starts: readonly Start[]): Skew | null {
  if (starts.length < 2) return null;
  const hosts = [...Map.groupBy(starts, ({ host }) => host).values()].map((own) => {
    const [times, errors] = [own.map(({ epochMs }) => epochMs), own.map(({ ownErrorMs = 0 }) => ownErrorMs)];
    const [earliest, latest] = [
      times.map((ms, index) => ms - errors[index]!),
      times.map((ms, index) => ms + errors[index]!),
    ];
    return {
      first: { from: Math.min(...earliest), seen: Math.min(...times), to: Math.min(...latest) },
      last: { from: Math.max(...earliest), seen: Math.max(...times), to: Math.max(...latest) },
      errorMs: Math.max(...own.map(({ errorMs }) => errorMs)),
    };
  });
  let [skewMs, atLeastMs, atMostMs] = [0, 0, 0];
  for (const early of hosts) {
    for (const late of hosts) {
      const clocksMs = early === late ? 0 : early.errorMs + late.errorMs;
      skewMs = Math.max(skewMs, late.last.seen - early.first.seen);
      atLeastMs = Math.max(atLeastMs, late.last.from - early.first.to - clocksMs);
      atMostMs = Math.max(atMostMs, late.last.to - early.first.from + clocksMs);
    }
  }
  return { skewMs, errorMs: Math.max(atMostMs - skewMs, skewMs - atLeastMs) };
}
