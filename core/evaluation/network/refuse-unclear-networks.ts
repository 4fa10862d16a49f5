import type { CaptureSettings } from '../capture/capture-settings.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { UserAgent } from '../users/user-agent.ts';
import type { Network } from './network.ts';
import { listLoadedSites } from '../pages/site-page.ts';
import { resolveLinkProfile } from './link-profile-input.ts';
import { refuseUnclearHosts } from './network-hosts.ts';
import { mostMtuBytes, tooLargeMtu } from './tcp-settings.ts';
import { refuseUnclearTunnel } from './tunnel-settings.ts';

type Refuse = (path: (string | number)[], message: string) => void;

interface Parts {
  scenarios: readonly Scenario[];
  userAgents: readonly UserAgent[];
}

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

/** Reports what the testbed cannot do or what would have no effect, so that every Round would break or mislead. Earlier versions stored it. */
export function refuseUnfitNetworks(evaluation: Parts, refuse: Refuse): void {
  refuseUnclearShares(evaluation, refuse);
  evaluation.scenarios.forEach(({ network }, index) => {
    for (const end of ['ground', 'remote'] as const)
      if ((network?.tcp[end]?.mtuBytes ?? 0) > mostMtuBytes)
        refuse(['scenarios', index, 'network', 'tcp', end, 'mtuBytes'], tooLargeMtu);
  });
}

function refuseUnclearShares({ scenarios, userAgents }: Parts, refuse: Refuse): void {
  const users = userAgents.flatMap(({ name, userClass, sourceAddress }) =>
    userClass === undefined || sourceAddress === undefined ? [] : [{ name, userClass, sourceAddress }],
  );
  scenarios.forEach(({ network, httpep }, index) => {
    const { classes, link } = network ?? {};
    if (!classes || !link) return;
    const path = ['scenarios', index, 'network', 'classes'];
    // With classes of its own, that is reported already.
    if (httpep && !httpep.classes)
      refuse(
        path,
        'know users by their addresses, and HTTPEP sends what is theirs from its own: write them as "httpep: { classes }", or remove one',
      );
    const { forward, return: back } = resolveLinkProfile(link);
    for (const [side, { rate, queue }] of Object.entries({ forward, return: back })) {
      if (rate.kind !== 'constant')
        refuse(path, `share a constant rate, and the ${side} direction of the link has none: set its "rateKbps"`);
      else if (queue)
        refuse(
          path,
          `make users wait before the link, where "queue: ${queue.kind}" of its ${side} direction does nothing: remove one`,
        );
    }
    for (const name of Object.keys(classes))
      if (!users.some(({ userClass }) => userClass === name))
        refuse([...path, name], 'has no User Agent with a "sourceAddress", by which the link knows users: give it one');
    for (const { name, userClass, sourceAddress } of users) {
      if (!Object.hasOwn(classes, userClass))
        refuse(path, `have no share for "${userClass}", the class of User Agent "${name}": add one`);
      const other = users.find((each) => each.sourceAddress === sourceAddress);
      if (other && other.userClass !== userClass)
        refuse(path, `User Agents "${other.name}" and "${name}" have one "sourceAddress", and so must have one class`);
    }
  });
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
