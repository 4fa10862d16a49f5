import type { LinkDirection, LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { LinkModel } from '../link/model/link-model.ts';
import { probeFrameBytes } from './plan-check.ts';
import { quantileOrNull } from './quantile-or-null.ts';

/** Where in a frame the first probe may fall: as many places as this, evenly. */
const phases = 16;

/** The median round trip of probes over a link with capacity on demand, by its model: in the mean over where in a frame they begin, and the least and the most. */
export function modelRoundTrip(
  profile: LinkProfile,
  { count, intervalMs }: { count: number; intervalMs: number },
): { expected: number; low: number; high: number } {
  const longestFrameMs = Math.max(frameMsOf(profile.forward), frameMsOf(profile.return));
  const medians = Array.from({ length: phases }, (_, phase) => {
    const startMs = (phase / phases) * longestFrameMs;
    const sentMs = Array.from({ length: count }, (_each, index) => startMs + index * intervalMs);
    const arrivedMs = cross(profile.forward, cross(profile.return, sentMs));
    return quantileOrNull(
      arrivedMs.map((atMs, index) => atMs - sentMs[index]!),
      0.5,
    )!;
  });
  return {
    expected: medians.reduce((sum, each) => sum + each, 0) / phases,
    low: Math.min(...medians),
    high: Math.max(...medians),
  };
}

function frameMsOf({ rate }: LinkDirection): number {
  return rate.kind === 'on-demand' ? rate.demand.frameMs : 0;
}

/** When probes that come at these times leave a direction that loses none. */
function cross(direction: LinkDirection, timesMs: readonly number[]): number[] {
  const model = new LinkModel<null>({
    direction: { ...direction, lossRatio: 0, lossBurstPackets: null, jitterMs: 0 },
    random: () => 0.5,
    startMs: 0,
  });
  const leftMs: number[] = [];
  const takeUntil = (ms: number) => leftMs.push(...model.take(ms).map(({ dueMs }) => dueMs));
  for (const atMs of timesMs) {
    takeUntil(atMs);
    model.arrive(null, { sizeBytes: probeFrameBytes, atMs });
  }
  for (let nextMs = model.nextEventMs(); nextMs < Infinity; nextMs = model.nextEventMs()) takeUntil(nextMs);
  return leftMs;
}
