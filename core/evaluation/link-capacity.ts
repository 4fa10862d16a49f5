import { resolveLinkProfile } from './link-profile-input.ts';
import type { Network } from './network.ts';

/** What the emulated link of a Scenario carries to the users (`received`) or from them, in kbps, where that is one number; null without a link, without a limit, and where the rate changes. */
export function linkCapacityKbps(network: Pick<Network, 'link'> | undefined, way: 'received' | 'sent'): number | null {
  if (!network) return null;
  const { forward, return: back } = resolveLinkProfile(network.link);
  const { rate } = way === 'received' ? forward : back;
  return rate.kind === 'constant' ? rate.kbps : null;
}
