import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { asHostOrigin } from '#core/protocol/host-origin.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { firefoxKind } from '../browser-kinds.ts';
import { watchParent } from '../agent/watch-parent.ts';
import { createLog } from '../create-log.ts';
import { findBrowser, findPresentBrowser } from '../find-browser.ts';
import { findHome } from '../installation.ts';
import { untilAborted } from '../watch-interrupts.ts';
import { joinController, testbedHosts } from './join-controller.ts';
import { describeOrigin, listOrigin, openTestbedOrigin, originFolder } from './open-testbed-origin.ts';
import type { TestbedOptions } from './testbed-options.ts';
import type { LinkEnd } from '#testbed/namespaces/testbed-network.ts';

/** Holds a testbed for a Controller, whose Scenarios switch it, until it is stopped. Throws what made it fail. */
export async function serveTestbed(
  profile: LinkProfile,
  options: TestbedOptions & { controller: string; token: string; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  using parent = watchParent();
  const { controller: controllerUrl, token, backend, users: userCount, say } = options;
  const signal = AbortSignal.any([options.signal, parent.signal]);
  const { env: environment, platform } = process;
  const homeFolder = findHome(environment);
  const log = createLog(options.verbose ? 'debug' : 'info');
  const search = { environment, platform, homeFolder, say, signal };
  const chromePath = await findBrowser(search);
  const findFirefox = options.extension === 'firefox' ? findBrowser : findPresentBrowser;
  const firefoxPath = await findFirefox(search, firefoxKind);

  await using emulated = await openEmulatedNetwork({
    profile,
    backend,
    userCount,
    hasIpv6: options.ipv6,
    hasNodes: options.nodes,
    authorityFolder: originFolder(homeFolder),
  });
  await using resources = new AsyncDisposableStack();
  const origin =
    options.origin || options.http3
      ? resources.use(await openTestbedOrigin(emulated.network, { homeFolder, http3: options.http3 }))
      : null;
  await using joined = await joinController(emulated, {
    controllerUrl,
    token,
    chromePath,
    firefoxPath,
    extension: options.extension,
    homeFolder,
    origin: origin && asHostOrigin(origin),
    allowScripts: options.allowScripts === true,
    isVerbose: options.verbose === true,
    say,
    log,
  });
  const { ground, remote, users, nodes } = emulated.network;
  const ofNodes = nodes.map(({ place, address }) => `, "${place}" (${address})`).join('');
  const ofUsers = users.map((user) => `, "${user.place}" (${listAddresses(user)})`).join('');
  say(
    `The Agents are "${testbedHosts.network}", "${testbedHosts.ground}" (${listAddresses(ground)}) and "${testbedHosts.remote}" (${listAddresses(remote)})${ofUsers}${ofNodes}; the link is emulated by ${emulated.backend}. Ctrl-C removes it`,
  );
  if (origin) say(listOrigin(origin));
  if (options.json)
    process.stdout.write(
      `${JSON.stringify({ profile, backend: emulated.backend, namespaces: emulated.network.namespaces, ground, remote, users, nodes, origin: describeOrigin(origin) })}\n`,
    );
  const failures = [joined.failed, ...(origin ? [origin.failed] : [])];
  await untilAborted(AbortSignal.any([signal, ...failures]));
  for (const failed of failures) failed.throwIfAborted();
}

/** The addresses of an end of the link, or of a user, in a line. */
export function listAddresses({ address, ipv6Address }: LinkEnd): string {
  return ipv6Address === null ? address : `${address}, ${ipv6Address}`;
}
