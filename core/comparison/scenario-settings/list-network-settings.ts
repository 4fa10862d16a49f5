import { describeBackground } from '../../evaluation/scenarios/background-load.ts';
import { describeLink } from '../../evaluation/network/describe-link.ts';
import type { Network } from '../../evaluation/network/network.ts';
import type { NetworkPath } from '../../evaluation/network/network-path.ts';
import type { TcpPep } from '../../evaluation/network/tcp-pep.ts';
import { tcpWords } from '../../evaluation/network/tcp-settings.ts';
import { tunnelNames } from '../../evaluation/network/tunnel-settings.ts';
import { listWords } from '../../evaluation/setting-words.ts';
import type { ScenarioSetting } from './scenario-setting.ts';

const sides = { ground: 'at the origin (ground)', remote: 'at the users (remote)' } as const;

/** The emulated network of a Scenario, in words. */
export function listNetworkSettings(network: Network | undefined): ScenarioSetting[] {
  const { host, link, path, tcpPep, classes, weights, tcp, background, tunnel } = network ?? {};
  const shares = sortShares(classes);
  return [
    { name: 'Emulated link', value: link, words: link ? describeLink(link) : 'none' },
    ...(path ? [{ name: 'Path', value: path, words: showPath(path) }] : []),
    ...(tcpPep ? [{ name: 'Transport PEP', value: tcpPep, words: showTcpPep(tcpPep) }] : []),
    {
      name: 'Shares of the link by user class',
      value: shares,
      words: showShares(shares) || 'none: users compete freely',
    },
    ...(weights
      ? [
          {
            name: 'Intended shares by user class',
            value: sortShares(weights),
            words: showShares(sortShares(weights)),
          },
        ]
      : []),
    ...(['ground', 'remote'] as const).flatMap((side) =>
      listWords(tcp?.[side] ?? {}, tcpWords).map((setting) => ({ ...setting, name: `${setting.name} ${sides[side]}` })),
    ),
    ...(background
      ? [{ name: 'Background load', value: background, words: describeBackground(background) || 'none' }]
      : []),
    ...(tunnel
      ? [{ name: 'Tunnel', value: tunnel, words: `${tunnelNames[tunnel.kind]} from ${tunnel.from} to ${tunnel.to}` }]
      : []),
    { name: 'Host of the emulated network', value: host, words: host ?? 'none' },
  ];
}

function showPath({ access, terrestrial }: NetworkPath): string {
  const show = (segment: NetworkPath['access']) => (segment ? [describeLink(segment)] : []);
  return ['users', ...show(access), 'terminal', 'link', 'gateway', ...show(terrestrial), 'origins'].join(' — ');
}

function showTcpPep({ at, program, congestionControl, windowBytes }: TcpPep): string {
  const window = windowBytes === undefined ? undefined : `window ${windowBytes} bytes`;
  return [`${program} at the ${at.join(' and the ')}`, congestionControl, window].filter(Boolean).join(', ');
}

function sortShares(shares: Record<string, number> = {}): [string, number][] {
  return Object.entries(shares).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function showShares(shares: readonly [string, number][]): string {
  return shares.map(([name, share]) => `${name} ${share}`).join(', ');
}
