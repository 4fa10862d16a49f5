import type { LinkProfile } from '#core/evaluation/link-profile.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import type { LinkBackend, LinkBackendKind } from './link-backend.ts';
import { hasNetem } from './netem/has-netem.ts';
import { isForNetem, openNetemLink } from './netem/netem-backend.ts';
import { openUserspaceLink } from './userspace/userspace-backend.ts';

export interface OpenLinkOptions {
  network: TestbedNetwork;
  /** What it is at first. */
  profile: LinkProfile;
  /** All that it will be: rates that vary are only for the userspace backend. */
  laterProfiles?: LinkProfile[];
  /** Instead of the one that is found to fit. */
  backend?: LinkBackendKind | undefined;
  /** Of the userspace backend's losses and jitter. netem draws from the kernel. */
  seed?: number;
}

/** Opens the link between `ground` and `remote`: with netem where the kernel has it and the profiles allow it, else in user space. */
export async function openLink({ network, profile, laterProfiles = [], backend, seed }: OpenLinkOptions): Promise<LinkBackend> {
  const kind = backend ?? ([profile, ...laterProfiles].every(isForNetem) && (await hasNetem(network)) ? 'netem' : 'userspace');
  return kind === 'netem' ? openNetemLink({ network, profile }) : openUserspaceLink({ network, profile, ...(seed !== undefined && { seed }) });
}
