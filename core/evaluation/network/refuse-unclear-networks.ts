import type { CaptureSettings } from '../capture/capture-settings.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { UserAgent } from '../users/user-agent.ts';
import type { Network } from './network.ts';
import { listLoadedSites } from '../pages/site-page.ts';
import { refuseUnclearHosts } from './network-hosts.ts';
import { refuseUnclearTunnel } from './tunnel-settings.ts';

type Refuse = (path: (string | number)[], message: string) => void;

interface Surroundings {
  userAgents: readonly UserAgent[];
  capture: CaptureSettings;
  urlLists: Parameters<typeof listLoadedSites>[0];
}

/** Where any Scenario has a network: reports each that has none, and settings of a network that nothing can follow. */
export function refuseUnclearNetworks(
  { scenarios, ...surroundings }: Surroundings & { scenarios: readonly Scenario[] },
  refuse: Refuse,
): void {
  if (!scenarios.some(({ network }) => network)) return;
  scenarios.forEach(({ network }, index) => {
    const refuseHere: Refuse = (path, message) => refuse(['scenarios', index, 'network', ...path], message);
    if (network) refuseUnclearNetwork(network, surroundings, refuseHere);
    // A Scenario that says nothing would be measured over the link that the one before it left behind.
    else
      refuseHere(
        [],
        'is missing, but other Scenarios have one: write "network: { link: none }" for a link without limits',
      );
  });
}

function refuseUnclearNetwork(network: Network, { userAgents, capture, urlLists }: Surroundings, refuse: Refuse): void {
  const { classes, weights, tunnel, tcpPep, path } = network;
  for (const [field, shares = {}] of Object.entries({ classes, weights }))
    for (const userClass of Object.keys(shares))
      if (!userAgents.some((userAgent) => userAgent.userClass === userClass))
        refuse([field, userClass], 'no User Agent has this class: write it as the "userClass" of one');
  if (tunnel?.from === 'user' && capture.enabled && capture.isolate)
    refuse(
      ['tunnel'],
      'begins at the users, where "capture: { isolate: true }" knows them by ports of the link: give each User Agent an "osUser" and a "sourceAddress" instead of "isolate"',
    );
  if (tcpPep && !path) refuse(['tcpPep'], 'needs a path with a terminal and a gateway: write "path: {}" beside "link"');
  refuseUnclearTunnel(network, refuse);
  refuseUnclearHosts({ ...network, hasSites: listLoadedSites(urlLists).length > 0 }, refuse);
  if (classes && weights)
    refuse(['weights'], 'is for shares that something else than the link enforces: remove it, or "classes"');
}
