import { computeComparison, leaveOutExcluded } from '#core/comparison/compute-comparison.ts';
import {
  findIncomparable,
  judgeLostObjects,
  type LoadedVisit,
} from '#core/comparison/failed-objects/failed-objects.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { listSegments } from '#core/evaluation/network/network-path.ts';
import { linkCapacityKbps, type Network } from '#core/evaluation/network/network.ts';
import { HostFactsSchema, type HostFacts } from '#core/protocol/host-facts.ts';
import type { LoadFigureId } from '#core/protocol/host-load.ts';
import type { PassLoad } from '#core/record/run-record.ts';
import { sampleQuantile, sortNumbers } from '#core/statistics/sample-quantile.ts';
import type { LinkFigures } from '#core/study/formula.ts';
import type { BundleLine } from '#core/record/bundle-line.ts';
import type { Measurements, RoundNetwork, RunConditions } from '#cli/study/study-measurements.ts';
import { gatherRecord } from '../report/gather-record.ts';
import { readBundle } from '../report/read-bundle.ts';
import { VisitNotes } from './note-visits.ts';

/** What a bundle gives a study, with the Evaluation of its Run. Throws as `readBundle`. */
export async function gatherMeasurements(file: string): Promise<Measurements & { evaluation: Evaluation }> {
  const notes = new VisitNotes();
  const network: RoundNetwork[] = [];
  const origins = { versions: [] as string[], startedAt: '', hosts: [] as HostFacts[] };
  const lines = noteOrigins(noteNetwork(notes.listen(readBundle(file)), network), origins);
  const whole = await gatherRecord(lines, file);
  const record = leaveOutExcluded(whole);
  const { evaluation, runId } = record;
  const variablesOf = new Map(
    evaluation.userAgents
      .flatMap(({ urlList }) => urlsOf(evaluation, urlList))
      .map(({ url, variables }) => [url, variables]),
  );
  const counted = new Set(
    record.rounds.flatMap(({ state, block, scenario }) => (state === 'completed' ? `${block} ${scenario}` : [])),
  );
  const noted = notes.list();
  const visits = judgeLostObjects<LoadedVisit>(record.visits, evaluation.pageLoad.failedObjects).flatMap(
    (visit, index) => {
      if (visit.isExcluded) return [];
      const { block, scenario, userAgent, url } = visit;
      const counts = !visit.isFailed && visit.isLeftOut !== true;
      const { values, bytesAt, during } = noted[index]!;
      return [
        {
          block,
          scenario,
          userAgent,
          page: url,
          variables: variablesOf.get(url) ?? {},
          values: counts ? values : {},
          bytesAt: counts ? bytesAt : {},
          during,
        },
      ];
    },
  );
  const { users, intervalConfidence } = computeComparison(whole);
  return {
    runId,
    evaluation,
    conditions: { ...describeOrigins(origins, evaluation), ...describeLoad(record.loads) },
    confidence: intervalConfidence,
    visits,
    users,
    isComparable: (scenario, against) =>
      findIncomparable(record.visits, {
        scenarios: [against, scenario],
        baseline: against,
        confidence: intervalConfidence,
        declaredConfidence: evaluation.comparison.confidence,
        rule: evaluation.pageLoad.failedObjects,
      }).size === 0,
    linkOf: (name) => measureLink(evaluation.scenarios.find((scenario) => scenario.name === name)?.network),
    points: record.points,
    traffic: record.traffic,
    network: network.filter(({ block, scenario }) => counted.has(`${block} ${scenario}`)),
  };
}

/** The round trip of all segments, and the rate of the slowest, where the network has one of each. */
function measureLink(network: Network | undefined): LinkFigures {
  if (!network) return { rttMs: null, forwardKbps: null, returnKbps: null };
  const delays = listSegments(network).map(({ profile }) => profile.forward.delayMs + profile.return.delayMs);
  return {
    rttMs: delays.reduce((sum, each) => sum + each, 0),
    forwardKbps: linkCapacityKbps(network, 'received'),
    returnKbps: linkCapacityKbps(network, 'sent'),
  };
}

interface Origins {
  versions: string[];
  startedAt: string;
  hosts: HostFacts[];
}

/** Passes lines on, and notes what wrote the bundle, when the Run was created, and its hosts. */
async function* noteOrigins(lines: AsyncIterable<BundleLine>, origins: Origins): AsyncGenerator<BundleLine> {
  for await (const line of lines) {
    yield line;
    if (line.kind === 'bundle') origins.versions.push(line.httpAeVersion);
    if (line.kind === 'run') origins.startedAt = line.createdAt;
    if (line.kind === 'host') origins.hosts.push(HostFactsSchema.parse(line.facts));
  }
}

/** Where a Run was measured, and with which browsers: hosts have engines that none of its User Agents has. */
export function describeOrigins(
  { versions, startedAt, hosts }: Origins,
  { userAgents }: Pick<Evaluation, 'userAgents'>,
) {
  // What follows the numbers of a release names a machine's maker.
  const machines = hosts.map(
    ({ platform, release, cpuCount }) => `${platform} ${/^[\d.]*/.exec(release)![0]}, ${cpuCount} CPUs`,
  );
  const used = new Set(userAgents.map(({ engine }) => engine));
  const browsers = hosts.flatMap(({ engines }) =>
    engines
      .filter(({ engine }) => used.has(engine))
      .map(({ engine, version }) => (engine === 'http' ? 'the http engine' : version.replace('/', ' '))),
  );
  return {
    startedAt,
    httpAeVersion: versions[0]!,
    machines: [...new Set(machines)],
    browsers: [...new Set(browsers)].sort(),
  };
}

function describeLoad(loads: readonly PassLoad[]): Pick<RunConditions, 'busyRatio' | 'cpuPressureRatio'> {
  const medianOf = (id: LoadFigureId) => {
    const values = loads.flatMap(({ load }) => {
      const figure = load?.kind === 'measured' ? load.figures[id] : undefined;
      return figure?.kind === 'measured' ? [figure.value] : [];
    });
    return values.length === 0 ? null : sampleQuantile(sortNumbers(values), 0.5);
  };
  return { busyRatio: medianOf('busyRatio'), cpuPressureRatio: medianOf('cpuPressureRatio') };
}

/** Passes lines on, and adds what the emulated network did in each Round that counts to `network`. */
async function* noteNetwork(lines: AsyncIterable<BundleLine>, network: RoundNetwork[]): AsyncGenerator<BundleLine> {
  for await (const line of lines) {
    yield line;
    if (line.kind !== 'round' || line.state !== 'completed' || line.warmUp) continue;
    const { block, scenario, linkCheck } = line;
    if (linkCheck?.during) network.push({ block, scenario, figures: linkCheck.during });
  }
}
