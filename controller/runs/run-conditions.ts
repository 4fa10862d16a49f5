import { z } from 'zod';
import { hostsOfAll } from './hosts-of.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { metricsVersion } from '#core/metrics/index.ts';
import { HostFactsSchema, type HostFacts } from '#core/protocol/host-facts.ts';
import { listAgents } from '../agents/agents.ts';
import type { Queryable } from '../database/queryable.ts';

const HostsSchema = z.record(z.string(), z.object({ agentVersion: z.string(), facts: HostFactsSchema })).nullable();

/** What the counted Rounds of a Run were measured with: before any were added, and each time that some were; with the time at which each ended. */
export async function listConditions(
  db: Queryable,
  runId: string,
): Promise<(Conditions & { endedAt: string | null })[]> {
  const { rows } = await db.query<{
    hosts: unknown;
    endedAt: Date | null;
    engineVersions: Conditions['engineVersions'];
    metricsVersions: number[];
  }>(
    `with started as (
       select 0 as number, 1 as first_block, hosts from run where id = $1
       union all select number, first_block, hosts from added_rounds where run_id = $1),
     part as (select *, lead(first_block) over (order by number) as next_block from started),
     measured as (
       select part.number, round.id, round.ended_at
       from part join round on round.run_id = $1 and block >= first_block and (next_block is null or block < next_block)
       where round.state = 'completed' and not warm_up)
     select part.hosts,
       (select max(ended_at) from measured where measured.number = part.number) as "endedAt",
       (select coalesce(jsonb_agg(distinct jsonb_build_object('host', agent, 'version', engine_version)), '[]')
        from measured join pass on round_id = measured.id where measured.number = part.number and engine_version is not null) as "engineVersions",
       (select coalesce(array_agg(distinct version), '{}') from measured
        cross join lateral (select metrics_version as version from pass join visit on pass_id = pass.id where round_id = measured.id limit 1) first_visit
        where measured.number = part.number) as "metricsVersions"
     from part order by part.number`,
    [runId],
  );
  return rows.map(({ hosts, endedAt, ...row }) => ({
    ...row,
    hosts: HostsSchema.parse(hosts),
    endedAt: endedAt?.toISOString() ?? null,
  }));
}

/** What Rounds of an Evaluation would be measured with now, by what its hosts reported last. */
export async function readConditionsNow(db: Queryable, evaluation: Evaluation): Promise<Conditions> {
  const needed = new Set(hostsOfAll(evaluation));
  const agents = (await listAgents(db)).filter(({ name }) => needed.has(name));
  const factsOf = new Map(agents.map(({ name, facts }) => [name, facts]));
  const versions = evaluation.userAgents.flatMap(({ host, engine }) => {
    const version = factsOf.get(host)?.engines.find((each) => each.engine === engine)?.version;
    return version === undefined ? [] : [JSON.stringify({ host, version })];
  });
  return {
    engineVersions: [...new Set(versions)].map((text) => JSON.parse(text) as { host: string; version: string }),
    metricsVersions: [metricsVersion],
    hosts: Object.fromEntries(agents.map(({ name, agentVersion, facts }) => [name, { agentVersion, facts }])),
  };
}

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
