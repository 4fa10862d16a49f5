import { peakKbps } from './link-profile.ts';
import type { Network } from './network.ts';
import { listSegments } from './network-path.ts';

/** What the emulated link of a Scenario, or the slowest segment of its path, carries to the users (`received`) or from them, in kbps, where that is one number; null without a link, without a limit, and where the rate changes. */
export function linkCapacityKbps(
  network: Pick<Network, 'link' | 'path'> | undefined,
  way: 'received' | 'sent',
): number | null {
  if (!network) return null;
  const rates = listSegments(network).map(({ profile }) => profile[way === 'received' ? 'forward' : 'return'].rate);
  if (rates.some(({ kind }) => kind === 'trace' || kind === 'on-demand')) return null;
  const slowest = Math.min(...rates.map(peakKbps));
  return Number.isFinite(slowest) ? slowest : null;
}
