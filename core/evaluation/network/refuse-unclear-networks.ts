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

/** Browsers trust at most 64. */
const maxKeysBesideHttpep = 63;

/** Reports each Scenario with HTTPEP and another proxy, or with classes of users that HTTPEP cannot distinguish. */
export function refuseUnclearHttpep(
  { scenarios, userAgents }: { scenarios: readonly Scenario[]; userAgents: readonly UserAgent[] },
  refuse: (path: (string | number)[], message: string) => void,
): void {
  scenarios.forEach(({ httpep, browser, network }, index) => {
    if (!httpep) return;
    for (const setting of ['proxy', 'pac'] as const)
      if (browser[setting] !== undefined)
        refuse(
          ['scenarios', index, 'browser', setting],
          'is set, but HTTPEP is the proxy of this Scenario: remove one',
        );
    if (httpep.tls === 'terminate' && browser.trustedKeys.length > maxKeysBesideHttpep)
      refuse(
        ['scenarios', index, 'browser', 'trustedKeys'],
        `must have at most ${maxKeysBesideHttpep} keys: HTTPEP needs one for "tls: terminate"`,
      );
    const local = userAgents.filter(({ host }) => host === httpep.remote.host);
    if (local.length > 1)
      refuse(
        ['scenarios', index, 'httpep'],
        `takes ${local.map(({ name }) => `"${name}"`).join(', ')} for one user, because they run on its own host: give each a network namespace ("testbed up --users ${local.length}", hosts user1, user2 and so on)`,
      );
    if (!httpep.classes) return;
    if (local.length === 1)
      refuse(
        ['scenarios', index, 'httpep', 'classes'],
        `need the address of User Agent "${local[0]!.name}", which runs on the host of HTTPEP: give it a network namespace ("testbed up --users 1", host user1)`,
      );
    const path = ['scenarios', index, 'httpep', 'classes'];
    if (network?.classes)
      refuse(path, 'conflicts with "classes" of the network: only one of the two can share the link');
    for (const name of Object.keys(httpep.classes))
      if (!userAgents.some(({ userClass }) => userClass === name))
        refuse([...path, name], 'no User Agent has this class: write it as the "userClass" of one');
    for (const { name, userClass, sourceAddress } of userAgents) {
      if (userClass === undefined || !Object.hasOwn(httpep.classes, userClass))
        refuse(path, `User Agent "${name}" has none of these classes: write one as its "userClass"`);
      else if (sourceAddress === undefined)
        refuse(path, `User Agent "${name}" needs a "sourceAddress": HTTPEP knows users by it`);
    }
  });
}
