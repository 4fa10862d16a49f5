import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { LinkBackend } from '#testbed/link/link-backend.ts';
import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import type { OriginProcess } from '../origin/start-origin-process.ts';

/** A testbed that is up. */
export interface OpenTestbed {
  network: TestbedNetwork;
  backend: LinkBackend;
  profile: LinkProfile;
  /** Null without one. */
  origin: OriginProcess | null;
}
