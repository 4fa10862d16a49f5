import type { HostFacts } from '../../core/protocol/host-facts.ts';

/** What Rounds were measured with. */
export interface Conditions {
  /** What loaded their pages; more than one of an engine where it was updated meanwhile. */
  engineVersions: readonly { host: string; version: string }[];
  /** Of the definitions that their Readings follow. */
  metricsVersions: readonly number[];
  /** By Agent; null where that was not kept. */
  hosts: Readonly<Record<string, { agentVersion: string; facts: HostFacts }>> | null;
}

/** In what later Rounds differ from earlier ones, a sentence each. What was not kept of one of them is not compared. */
export function describeChanges(earlier: Conditions, later: Conditions): string[] {
  return [
    ...listChange('The version of the metrics', earlier.metricsVersions.map(String), later.metricsVersions.map(String)),
    ...describeEngines(earlier.engineVersions, later.engineVersions),
    ...Object.entries(later.hosts ?? {}).flatMap(([name, host]) => {
      const before = earlier.hosts?.[name];
      if (!before) return [];
      return Object.entries(settingsOf).flatMap(([setting, read]) =>
        listChange(`${name}: ${setting}`, [read(before)], [read(host)]),
      );
    }),
  ];
}

type Host = NonNullable<Conditions['hosts']>[string];

const settingsOf: Record<string, (host: Host) => string> = {
  'version of HTTP-AE': ({ agentVersion }) => agentVersion,
  'operating system': ({ facts }) => `${facts.platform} ${facts.release}`,
  architecture: ({ facts }) => facts.architecture,
  CPUs: ({ facts }) => String(facts.cpuCount),
  memory: ({ facts }) => (facts.memoryBytes === null ? 'unknown' : `${Math.round(facts.memoryBytes / 2 ** 20)} MiB`),
  'emulated network': ({ facts }) => facts.testbed?.backend ?? 'none',
};

function describeEngines(earlier: Conditions['engineVersions'], later: Conditions['engineVersions']): string[] {
  const versionsOn = (versions: Conditions['engineVersions'], host: string) =>
    versions.flatMap((each) => (each.host === host ? each.version : []));
  return [...new Set(later.map(({ host }) => host))].flatMap((host) =>
    listChange(`${host}: engines`, versionsOn(earlier, host), versionsOn(later, host)),
  );
}

function listChange(what: string, earlier: readonly string[], later: readonly string[]): string[] {
  const [before, after] = [earlier.toSorted().join(', '), later.toSorted().join(', ')];
  return before === '' || after === '' || before === after ? [] : [`${what} changed from ${before} to ${after}.`];
}
