import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { Scenario, Script } from '../../evaluation/scenarios/scenario.ts';
import type { ScenarioProcess } from '../../evaluation/scenarios/scenario-process.ts';
import { defaultPaceRatio, type Httpep } from '../../evaluation/network/httpep.ts';
import {
  browserWords,
  protocolNames,
  requestKinds,
  type BrowserSettings,
} from '../../evaluation/browser/browser-settings.ts';
import type { PageLoad } from '../../evaluation/pages/page-load.ts';
import { describeBackground } from '../../evaluation/scenarios/background-load.ts';
import { describeHosts, dnsCacheWords } from '../../evaluation/network/network-hosts.ts';
import { replayWords } from '../../evaluation/network/replay.ts';
import { describeLink } from '../../evaluation/network/describe-link.ts';
import type { Network } from '../../evaluation/network/network.ts';
import type { NetworkPath } from '../../evaluation/network/network-path.ts';
import type { TcpPep } from '../../evaluation/network/tcp-pep.ts';
import { tcpWords } from '../../evaluation/network/tcp-settings.ts';
import { tunnelNames } from '../../evaluation/network/tunnel-settings.ts';
import { listWords } from '../../evaluation/setting-words.ts';

/** Of those that are more than a value: what comes to the same is the same. */
const settingsOf: Partial<
  Record<
    keyof BrowserSettings,
    (browser: BrowserSettings, pageLoad: Pick<PageLoad, 'cache' | 'viewport'>) => ScenarioSetting[]
  >
> = {
  protocols: ({ protocols }) => listChosen('protocols', protocolNames, protocols),
  blockedRequests: ({ blockedRequests }) => listChosen('blockedRequests', requestKinds, blockedRequests),
  trustedKeys: ({ trustedKeys }) => listChosen('trustedKeys', trustedKeys.toSorted(), trustedKeys),
  pac: ({ pac }) => listWords({ pac }, { pac: browserWords.pac }).map((setting) => ({ ...setting, isScript: true })),
  pipeliningDepth: ({ pipeliningDepth: value = 1 }) => [
    {
      name: browserWords.pipeliningDepth.label,
      value,
      words: value === 1 ? browserWords.pipeliningDepth.byDefault! : String(value),
    },
  ],
  cache: ({ cache }, pageLoad) => listWords({ cache: cache ?? pageLoad.cache }, { cache: browserWords.cache }),
  viewport: ({ viewport }, pageLoad) =>
    listWords({ viewport: viewport ?? pageLoad.viewport }, { viewport: browserWords.viewport }),
  deviceScaleRatio: ({ deviceScaleRatio = 1 }) =>
    listWords({ deviceScaleRatio }, { deviceScaleRatio: browserWords.deviceScaleRatio }),
  flags: ({ flags }) => {
    const values = Map.groupBy(flags, (flag) => flag.split('=', 1)[0]!);
    return [...values].map(([name, given]) => ({
      name: `Chrome switch ${name}`,
      value: given,
      words: given.map((flag) => flag.slice(name.length + 1) || 'set').join(', '),
    }));
  },
  prefs: ({ prefs }) =>
    Object.entries(prefs).map(([name, value]) => ({
      name: `Firefox preference ${name}`,
      value,
      words: typeof value === 'string' ? JSON.stringify(value) : String(value),
    })),
};

/** Some of several, in the order of all. */
function listChosen(
  setting: 'protocols' | 'blockedRequests' | 'trustedKeys',
  of: readonly string[],
  chosen: readonly string[] = [],
): ScenarioSetting[] {
  const value = of.filter((name) => chosen.includes(name));
  return [{ name: browserWords[setting].label, value, words: value.join(', ') || browserWords[setting].byDefault! }];
}

/** All settings of a Scenario, in words: its variables, those of the browser, of the network, and its scripts. */
export function listSettings(
  {
    userAgents,
    variables = {},
    browser,
    network,
    httpep,
    setUp,
    afterNetwork,
    processes,
    tearDown,
  }: Pick<
    Scenario,
    'userAgents' | 'variables' | 'browser' | 'network' | 'httpep' | 'setUp' | 'afterNetwork' | 'processes' | 'tearDown'
  >,
  pageLoad: Evaluation['pageLoad'],
): ScenarioSetting[] {
  return [
    ...(userAgents ? [{ name: 'User Agents', value: userAgents, words: userAgents.join(', ') }] : []),
    ...Object.entries(variables).map(([name, value]) => ({ name: `Variable ${name}`, value, words: String(value) })),
    ...listBrowserSettings(browser, pageLoad),
    ...listNetworkSettings(network),
    ...listHttpepSettings(httpep),
    listScripts('Set-up scripts', setUp),
    ...(afterNetwork.length > 0 ? [listScripts('Scripts after the network', afterNetwork)] : []),
    ...processes.map(describeProcess),
    listScripts('Tear-down scripts', tearDown),
  ];
}

function describeProcess(process: ScenarioProcess): ScenarioSetting {
  const { name, host, command } = process;
  return {
    name: `Process ${name}`,
    value: process,
    words: `# on ${host}\n${command}`,
    wholeWords: JSON.stringify(process, null, 2),
    isScript: true,
  };
}

function listScripts(name: string, scripts: readonly Script[]): ScenarioSetting {
  const show = (headOf: (script: Script) => string) =>
    scripts.map((script) => `# ${headOf(script)}\n${script.script.trimEnd()}`).join('\n\n') || 'none';
  return {
    name,
    value: scripts,
    words: show(({ host }) => `on ${host}`),
    wholeWords: show(({ host, timeoutMs }) => `on ${host}, for at most ${timeoutMs} ms`),
    isScript: true,
  };
}

/** HTTPEP of a Scenario, in words; nothing where it has none. */
function listHttpepSettings(httpep: Httpep | undefined): ScenarioSetting[] {
  if (!httpep) return [];
  const {
    connections,
    scheduler,
    classes,
    rateKbps,
    paceRatio,
    bundling,
    text,
    images,
    imageQuality,
    tls,
    ground,
    remote,
  } = httpep;
  const shares = Object.entries(classes ?? {}).map(([name, weight]) => `${name} ${weight}`);
  const words = [
    `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    `scheduler ${scheduler}`,
    ...(shares.length > 0 ? [`weights ${shares.join(', ')}`] : []),
    ...(bundling ? [] : ['no bundling']),
    `text ${text}`,
    images === 'none' ? 'images as they are' : `images with a loss (${images}, quality ${imageQuality})`,
    ...(tls === 'terminate' ? ['TLS ended'] : []),
    sayRate(rateKbps),
    ...(paceRatio === defaultPaceRatio ? [] : [`paced at ${paceRatio} of it`]),
  ];
  return [
    {
      name: 'HTTPEP',
      value: httpep,
      words: words.join('; '),
      wholeWords: `${words.join('; ')}; ground end ${ground.address} on ${ground.host}, remote end ${remote.address} on ${remote.host}`,
    },
  ];
}

function sayRate(rateKbps: Httpep['rateKbps']): string {
  if (rateKbps === undefined) return 'rate of the link';
  return rateKbps === 'auto' ? 'rate estimated' : `${rateKbps} kb/s`;
}

/** How the browser is set in a Scenario, in words. A setting that was left out is shown with its default. */
function listBrowserSettings(
  browser: BrowserSettings,
  pageLoad: Pick<PageLoad, 'cache' | 'viewport'>,
): ScenarioSetting[] {
  const plain = new Map(listWords(browser, browserWords).map((setting) => [setting.name, setting]));
  return (Object.keys(browserWords) as (keyof BrowserSettings)[]).flatMap(
    (setting) => settingsOf[setting]?.(browser, pageLoad) ?? [plain.get(browserWords[setting].label)!],
  );
}

const sides = { ground: 'at the origin (ground)', remote: 'at the users (remote)' } as const;

/** The emulated network of a Scenario, in words. */
function listNetworkSettings(network: Network | undefined): ScenarioSetting[] {
  const { host, link, path, tcpPep, classes, weights, tcp, background, tunnel, hosts, dnsCache, replay } =
    network ?? {};
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
    ...(hosts
      ? [{ name: 'Hosts', value: hosts, words: describeHosts(hosts) }, ...listWords({ dnsCache }, dnsCacheWords)]
      : []),
    ...(replay ? listWords(replay, replayWords) : []),
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

/** One setting of a Scenario as it takes effect. */
export interface ScenarioSetting {
  name: string;
  /** What two Scenarios are held against each other by: equal as JSON, or they differ. */
  value: unknown;
  words: string;
  /** Shown where the words of two different values are the same. */
  wholeWords?: string;
  isScript?: boolean;
}

export function isSame(one: ScenarioSetting | undefined, other: ScenarioSetting | undefined): boolean {
  return JSON.stringify(one?.value) === JSON.stringify(other?.value);
}
