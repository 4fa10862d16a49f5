import type { Scenario } from './scenario.ts';

/** A Scenario as far as its look needs it. */
export interface MarkedScenario {
  name: string;
  baseline: boolean;
  group?: string | null | undefined;
  /** What sets it apart from the others of its group, such as `h2` or `h2 + pep`; missing where its settings do not say. */
  trait?: string | undefined;
}

type TracedScenario = Pick<Scenario, 'name' | 'baseline' | 'group' | 'browser' | 'network' | 'httpep' | 'processes'>;

const protocols = ['h3', 'h2', 'http/1.1', 'http/1.0'];

/** What a setting says of a Scenario, the strongest first. Null: nothing. */
const aspects: ((scenario: TracedScenario) => string | null)[] = [
  ({ browser }) => protocols.find((protocol) => browser.protocols?.some((name) => name === protocol)) ?? null,
  ({ httpep }) => {
    if (!httpep) return null;
    if (httpep.classes) return 'httpep classes';
    if (httpep.images !== 'none') return `httpep ${httpep.images}`;
    return httpep.scheduler === 'fair' ? 'httpep' : `httpep ${httpep.scheduler}`;
  },
  ({ processes }) => processes.map(({ name }) => name.toLowerCase()).join(' + ') || null,
  ({ network }) => (network?.tcpPep ? 'pep' : null),
  ({ network }) => (network?.tunnel ? 'tunnel' : null),
  ({ network }) => network?.tcp.ground?.congestionControl ?? null,
  ({ browser }) =>
    browser.connectionsPerOrigin === undefined ? null : nameConnections(String(browser.connectionsPerOrigin)),
  ({ browser }) => ((browser.pipeliningDepth ?? 1) > 1 ? 'pipelined' : null),
];

/** The Scenarios of an Evaluation, each with what sets it apart: the settings that are not alike in its group. */
export function markTraits(scenarios: readonly TracedScenario[]): MarkedScenario[] {
  const groups = Map.groupBy(scenarios, ({ group }) => group);
  return scenarios.map((scenario) => {
    const { name, baseline, group } = scenario;
    const own = groups.get(group)!;
    const varied = aspects.filter((aspect) => new Set(own.map(aspect)).size > 1);
    const trait = varied.flatMap((aspect) => aspect(scenario) ?? []).join(' + ');
    return { name, baseline, ...(group !== undefined && { group }), ...(trait !== '' && { trait }) };
  });
}

/** What words of a name mean, the strongest first. */
const meanings: [RegExp, string | ((found: string) => string)][] = [
  [/\b(HTTP\/3|h3|QUIC)\b/i, 'h3'],
  [/\b(HTTP\/2|h2)\b/i, 'h2'],
  [/\bSPDY\b/i, 'spdy'],
  [/\bHTTPS\b/i, 'https'],
  [/\bHTTP\/1(\.1)?(?![\d.])/i, 'http/1.1'],
  [/\bHTTPEP\b/i, 'httpep'],
  [/\bsquid\b/i, 'squid'],
  [/\bziproxy\b/i, 'ziproxy'],
  [/\bPEP\b/i, 'pep'],
  [/\b(VPN|tunnel)\b/i, 'tunnel'],
  [/\bproxy\b/i, 'proxy'],
  [/\b(cubic|reno|bic|hybla|vegas|westwood|bbr)\b/i, (found) => found.toLowerCase()],
  [/\b\d+ connections?\b/i, (found) => nameConnections(found.replace(/\D/g, ''))],
  [/\bpipelined\b/i, 'pipelined'],
];

/** What sets a Scenario apart by the words of its name; null where none is known. */
export function readTrait(name: string): string | null {
  const found = meanings.flatMap(([words, trait]) => {
    const [word] = words.exec(name) ?? [];
    if (word === undefined) return [];
    return typeof trait === 'string' ? [trait] : [trait(word)];
  });
  return found.length === 0 ? null : found.join(' + ');
}

function nameConnections(count: string): string {
  return count === '1' ? '1 connection' : `${count} connections`;
}
