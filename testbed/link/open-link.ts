import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import type { LinkBackendKind } from './link-backend.ts';
import { SwitchableLink } from './switchable-link.ts';

export interface OpenLinkOptions {
  network: TestbedNetwork;
  /** What it is at first. */
  profile: LinkProfile;
  /** Instead of the one that is found to fit. */
  backend?: LinkBackendKind | undefined;
  seed?: number;
}

/** Opens the link between `ground` and `remote`. Throws `testbed-refused` for a profile that the named backend cannot be. */
export async function openLink({ network, profile, backend, seed }: OpenLinkOptions): Promise<SwitchableLink> {
  const link = new SwitchableLink({ network, only: backend ?? null, seed });
  await link.apply(profile);
  return link;
}
