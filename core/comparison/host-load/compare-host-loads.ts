import type { PassLoad } from '../../record/run-record.ts';
import { holmAdjust } from '../../statistics/holm-adjust.ts';
import { tTest } from '../../statistics/mean-interval.ts';
import { sampleQuantile, sortNumbers } from '../../statistics/sample-quantile.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';
import type { BusyRounds, HostLoadComparison, LoadDifference } from './host-load-comparison.ts';
import { loadMeasureIds, loadMeasures, measureOf, type LoadMeasureId } from './load-measure.ts';

interface LoadDesign {
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
}

/** One host in one Round: the mean over the Passes that it made at the same time. */
interface RoundLoad {
  block: number;
  scenario: string;
  host: string;
  cpuCount: number;
  measures: Record<LoadMeasureId, number | null>;
}

const fewestRounds = 3;
const atMostP = 0.01;
const notReported = 'Its Agent did not report it';

/** Whether the hosts were as busy in all Rounds, and under all Scenarios alike. */
export function compareHostLoads(passes: readonly PassLoad[], design: LoadDesign): HostLoadComparison {
  const loads = gatherRounds(passes);
  if (loads.length === 0) return { kind: 'absent', reason: explainAbsence(passes) };
  const byHost = Map.groupBy(loads, ({ host }) => host);
  return {
    kind: 'measured',
    hosts: [...byHost].map(([host, own]) => ({
      host,
      cpuCount: own[0]!.cpuCount,
      rounds: own.length,
      measures: describeMeasures(own),
    })),
    unknown: [...Map.groupBy(passes, ({ host }) => host)].flatMap(([host, own]) =>
      byHost.has(host) ? [] : [{ host, reason: explainAbsence(own) }],
    ),
    busyRounds: [...byHost.values()].flatMap((ofHost) =>
      design.scenarios.flatMap((scenario) => findBusyRounds(ofHost.filter((load) => load.scenario === scenario))),
    ),
    differences: findDifferences(loads, design),
  };
}

function gatherRounds(passes: readonly PassLoad[]): RoundLoad[] {
  const measured = passes.flatMap(({ load, ...place }) => (load?.kind === 'measured' ? [{ ...place, load }] : []));
  const rounds = Map.groupBy(measured, ({ block, scenario, host }) => JSON.stringify([host, scenario, block]));
  return [...rounds.values()].map((own) => {
    const { block, scenario, host, load } = own[0]!;
    const meanOf = (id: LoadMeasureId) => meanOrNull(own.map((pass) => measureOf(pass.load, id)));
    return { block, scenario, host, cpuCount: load.cpuCount, measures: mapMeasures(meanOf) };
  });
}

function explainAbsence(passes: readonly PassLoad[]): string {
  if (passes.length === 0) return 'No counted Round is complete';
  const reasons = passes.map(({ load }) => (load?.kind === 'absent' ? load.reason : notReported));
  return [...new Set(reasons)].join('; ');
}

function describeMeasures(loads: readonly RoundLoad[]) {
  return mapMeasures((id) => {
    const values = sortNumbers(loads.flatMap(({ measures }) => measures[id] ?? []));
    return values.length === 0 ? null : { median: sampleQuantile(values, 0.5), largest: values.at(-1)! };
  });
}

/** Of the Rounds of one Scenario on one host, by the measure that parts them most, if any does. */
function findBusyRounds(loads: readonly RoundLoad[]): BusyRounds[] {
  if (loads.length < fewestRounds) return [];
  const parted = loadMeasureIds.flatMap((measure) => {
    const values = loads.flatMap(({ measures }) => measures[measure] ?? []);
    const gap = values.length === loads.length ? findWidestGap(values) : null;
    const width = gap ? (gap.high - gap.low) / loadMeasures[measure].gapRatio : 0;
    return gap && width >= 1 ? [{ measure, from: gap.high, width }] : [];
  });
  const widest = parted.toSorted((one, other) => other.width - one.width)[0];
  if (!widest) return [];
  const { measure, from } = widest;
  const isBusy = ({ measures }: RoundLoad) => measures[measure]! >= from;
  const meanOf = (own: RoundLoad[]) => summarizeSample(own.map(({ measures }) => measures[measure]!)).mean;
  const busy = loads.filter(isBusy);
  const { host, scenario } = loads[0]!;
  const blocks = busy.map(({ block }) => block).sort((a, b) => a - b);
  return [
    {
      host,
      scenario,
      measure,
      blocks,
      rounds: loads.length,
      busyMean: meanOf(busy),
      calmMean: meanOf(loads.filter((load) => !isBusy(load))),
    },
  ];
}

function findDifferences(loads: readonly RoundLoad[], design: LoadDesign): LoadDifference[] {
  const baselines = baselinesOf(design);
  const tested = design.scenarios
    .filter((scenario) => scenario !== baselines.get(scenario))
    .flatMap((scenario) =>
      loadMeasureIds.flatMap((measure) => {
        const [own, others] = [
          byBlock(loads, { scenario, measure }),
          byBlock(loads, { scenario: baselines.get(scenario)!, measure }),
        ];
        const pairs = [...own].flatMap(([block, value]) =>
          others.has(block) ? [{ value, baseline: others.get(block)! }] : [],
        );
        const p = pairs.length < fewestRounds ? null : tTest(pairs.map((pair) => pair.value - pair.baseline));
        if (p === null) return [];
        const meanOf = (side: 'value' | 'baseline') => summarizeSample(pairs.map((pair) => pair[side])).mean;
        return [
          { scenario, measure, blocks: pairs.length, mean: meanOf('value'), baselineMean: meanOf('baseline'), p },
        ];
      }),
    );
  const adjusted = holmAdjust(tested.map(({ p }) => p));
  return tested
    .map(({ scenario, measure, blocks, mean, baselineMean }, index) => ({
      scenario,
      measure,
      blocks,
      mean,
      baselineMean,
      adjustedP: adjusted[index]!,
    }))
    .filter(
      ({ measure, mean, baselineMean, adjustedP }) =>
        adjustedP <= atMostP && Math.abs(mean - baselineMean) >= loadMeasures[measure].differenceRatio,
    );
}

/** The mean over the hosts of each Round, where each host shows it. */
function byBlock(
  loads: readonly RoundLoad[],
  { scenario, measure }: { scenario: string; measure: LoadMeasureId },
): Map<number, number> {
  const rounds = Map.groupBy(
    loads.filter((load) => load.scenario === scenario),
    ({ block }) => block,
  );
  return new Map(
    [...rounds].flatMap(([block, own]): [number, number][] => {
      const mean = meanOrNull(own.map(({ measures }) => measures[measure]));
      return mean === null ? [] : [[block, mean]];
    }),
  );
}

function meanOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : summarizeSample(known).mean;
}

function mapMeasures<T>(valueOf: (id: LoadMeasureId) => T): Record<LoadMeasureId, T> {
  return Object.fromEntries(loadMeasureIds.map((id) => [id, valueOf(id)])) as Record<LoadMeasureId, T>;
}

interface Gap {
  /** The values on either side of it. */
  low: number;
  high: number;
}

/**
 * The widest gap between neighbours among the values in their order, which parts them into two groups as single linkage does (Sneath 1957). It finds one value that stands apart
 * (Dixon 1950 tests the same gap) as well as halves that do. Null with fewer than two values.
 */
function findWidestGap(values: readonly number[]): Gap | null {
  const sorted = sortNumbers(values);
  let widest: Gap | null = null;
  for (let index = 1; index < sorted.length; index++) {
    const [low, high] = [sorted[index - 1]!, sorted[index]!];
    if (!widest || high - low > widest.high - widest.low) widest = { low, high };
  }
  return widest;
}
