import type { Segment } from '#core/evaluation/network/network-path.ts';
import type { LinkInterfaces } from '../link/link-backend.ts';
import { nodeSides } from '../namespaces/connect-nodes.ts';
import { satelliteInterfaces } from '../namespaces/testbed-network.ts';

const { terminal, gateway } = nodeSides;

/** What each segment joins in `satellite`. All segments meet there, as the ends of the single link do: no interface is moved. */
export const segmentInterfaces: Readonly<Record<Segment, LinkInterfaces>> = {
  access: { ground: terminal.remote, remote: satelliteInterfaces.remote },
  satellite: { ground: gateway.remote, remote: terminal.ground },
  terrestrial: { ground: satelliteInterfaces.ground, remote: gateway.ground },
};
