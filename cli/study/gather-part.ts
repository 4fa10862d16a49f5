import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { findIncomparable } from '#core/comparison/failed-objects/compare-failed-objects.ts';
import { judgeLostObjects, type LoadedVisit } from '#core/comparison/failed-objects/judge-lost-objects.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { BundleLine } from '#core/record/bundle-line.ts';
import type { MeasuredVisit, Measurements, RoundNetwork } from '#cli/study/study-measurements.ts';
import { studyMetricIds } from '#core/study/quantity.ts';
import { gatherRecord } from '../report/gather-record.ts';
import { readBundle } from '../report/read-bundle.ts';

type Values = MeasuredVisit['values'];

/** What a bundle gives a study, with the Evaluation of its Run. Throws as `readBundle`. */
export async function gatherMeasurements(file: string): Promise<Measurements & { evaluation: Evaluation }> {
  const values: Values[] = [];
  const network: RoundNetwork[] = [];
  const record = await gatherRecord(noteNetwork(noteValues(readBundle(file), values), network), file);
  const { evaluation, runId } = record;
  const variablesOf = new Map(
    evaluation.userAgents
      .flatMap(({ urlList }) => urlsOf(evaluation, urlList))
      .map(({ url, variables }) => [url, variables]),
  );
  const visits = judgeLostObjects<LoadedVisit>(record.visits, evaluation.pageLoad.failedObjects).flatMap(
    (visit, index) => {
      if (visit.isExcluded) return [];
      const { block, scenario, userAgent, url } = visit;
      const counts = !visit.isFailed && visit.isLeftOut !== true;
      return [
        {
          block,
          scenario,
          userAgent,
          page: url,
          variables: variablesOf.get(url) ?? {},
          values: counts ? values[index]! : {},
        },
      ];
    },
  );
  const { bandwidth, users, intervalConfidence } = computeComparison(record);
  return {
    runId,
    evaluation,
    confidence: intervalConfidence,
    visits,
    bandwidth,
    users,
    isComparable: (scenario, against) =>
      findIncomparable(record.visits, {
        scenarios: [against, scenario],
        baseline: against,
        confidence: intervalConfidence,
        declaredConfidence: evaluation.comparison.confidence,
        rule: evaluation.pageLoad.failedObjects,
      }).size === 0,
    points: record.points,
    traffic: record.traffic,
    network,
  };
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

/** Passes lines on, and adds the values of each Visit that counts to `values`, in the order of the record's Visits. */
async function* noteValues(lines: AsyncIterable<BundleLine>, values: Values[]): AsyncGenerator<BundleLine> {
  const countedRounds = new Set<string>();
  const countedPasses = new Set<string>();
  let wire: Extract<BundleLine, { kind: 'capture' }>['visits'] = {};
  for await (const line of lines) {
    yield line;
    switch (line.kind) {
      case 'round':
        if (line.state === 'completed' && !line.warmUp) countedRounds.add(line.id);
        break;
      case 'pass':
        if (countedRounds.has(line.roundId)) countedPasses.add(line.id);
        wire = {};
        break;
      case 'capture':
        wire = line.visits;
        break;
      case 'visit': {
        if (!countedPasses.has(line.passId) || line.repetition === 0) break;
        const own = wire[line.id];
        values.push(
          pickKnown({
            ...line.readings,
            ...(own && {
              packets: own.packets,
              bytes: own.bytes,
              connections: own.openedConnections,
              unusedConnections: own.unusedConnections,
            }),
          }),
        );
        break;
      }
      default:
    }
  }
}

function pickKnown(given: Readonly<Record<string, number | null | undefined>>): Values {
  return Object.fromEntries(
    studyMetricIds.flatMap((metric) => {
      const value = given[metric];
      return typeof value === 'number' ? [[metric, value]] : [];
    }),
  );
}
