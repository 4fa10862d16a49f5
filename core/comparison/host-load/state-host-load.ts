import type { MetricComparison } from '../comparison.ts';
import { baselineOf, groupOf, type ComparedGroup } from '../compared-group.ts';
import { flags } from '../latencies/flag.ts';
import type { Remark } from '../remarks/remark.ts';
import type { BusyRounds, HostLoadComparison, LoadDifference, HostDelay } from './host-load-comparison.ts';
import { loadMeasureIds, loadMeasures } from './load-measure.ts';

const mostHosts = 3;
/** A bound that is a larger part of a difference is a reason to doubt it. */
const doubtfulPart = 0.1;

/** How busy the hosts were, where that is a reason to doubt a finding. */
export function stateHostLoad(hostLoad: HostLoadComparison, groups: readonly ComparedGroup[] = []): Remark[] {
  if (hostLoad.kind === 'absent') return [];
  const byHost = [...Map.groupBy(hostLoad.busyRounds, ({ host }) => host)];
  const others =
    byHost.length > mostHosts
      ? [`${byHost.length - mostHosts} more hosts were busier in some Rounds. Method lists them.`]
      : [];
  const texts = [
    ...listBusyThroughout(hostLoad),
    ...byHost.slice(0, mostHosts).map(([host, found]) => stateBusyRounds(host, found)),
    ...others,
    ...hostLoad.differences.map((difference) => stateDifference(difference, groups)),
  ];
  return texts.map((text) => ({ about: 'host-load', text }));
}

interface DoubtedDifference {
  scenario: string;
  differenceMs: number;
  /** By how much the hosts may have held up a Visit, on average. */
  delayMs: number;
}

interface Compared {
  primary: MetricComparison;
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
}

/** Of the differences that are claimed, those for which the hosts were too slow or too busy. */
export function findDoubtedDifferences(
  delays: readonly HostDelay[],
  { primary, ...compared }: Compared,
): DoubtedDifference[] {
  const meanOf = (name: string) => delays.find(({ scenario }) => scenario === name)?.meanMs ?? 0;
  return primary.scenarios.flatMap(({ scenario, contrast }) => {
    if (contrast?.verdict !== 'faster' && contrast?.verdict !== 'slower') return [];
    const { meanDifference } = contrast;
    if (meanDifference.kind === 'absent') return [];
    const differenceMs = Math.abs(meanDifference.value);
    const delayMs = Math.max(meanOf(scenario), meanOf(baselineOf(compared, scenario)));
    return delayMs <= doubtfulPart * differenceMs ? [] : [{ scenario, differenceMs, delayMs }];
  });
}

export function stateHostDelays(delays: readonly HostDelay[], compared: Compared): Remark[] {
  return findDoubtedDifferences(delays, compared).map(({ scenario, differenceMs, delayMs }) => ({
    about: 'host-load',
    text:
      `The difference of ${scenario} is ${showMs(differenceMs)}, and the hosts themselves may have held up a Visit by ${showMs(delayMs)} (mean). ` +
      'Use a faster host or fewer User Agents on it, and run again when nothing else uses it.',
  }));
}

export function showMs(ms: number): string {
  return ms < 10 ? `${ms.toPrecision(2)} ms` : `${ms.toFixed(0)} ms`;
}

/** The Scenarios with busy Rounds, or whose Rounds were busier or less busy than the baseline's; all where a host was busy throughout. */
export function listBusyScenarios(hostLoad: HostLoadComparison, scenarios: readonly string[]): Set<string> {
  if (hostLoad.kind === 'absent') return new Set();
  if (listBusyThroughout(hostLoad).length > 0) return new Set(scenarios);
  return new Set([...hostLoad.busyRounds, ...hostLoad.differences].map(({ scenario }) => scenario));
}

/** Hosts that were busy in most of their Rounds, alike under all Scenarios: latencies then hold what the host itself took. */
function listBusyThroughout({ hosts }: Extract<HostLoadComparison, { kind: 'measured' }>): string[] {
  return hosts.flatMap(({ host, rounds, measures }) => {
    const parts = loadMeasureIds.flatMap((id) => {
      const { busyRatio, show, words } = loadMeasures[id];
      const median = measures[id]?.median ?? 0;
      return median >= busyRatio ? [`${show(median)} ${words}`] : [];
    });
    return parts.length === 0
      ? []
      : [
          `Flag “${flags['busy-host'].label}”: ${host} was busy in most of its ${rounds} Rounds (medians: ${parts.join(', ')}). ` +
            'Its latencies include time that the host itself took. Run again when nothing else uses the host.',
        ];
  });
}

/** Of one host; Scenarios that differ in the same measure share a sentence. */
function stateBusyRounds(host: string, found: readonly BusyRounds[]): string {
  const parts = [...Map.groupBy(found, ({ measure }) => measure)].map(([measure, own]) => {
    const busy = own.reduce((sum, { blocks }) => sum + blocks.length, 0);
    const all = own.reduce((sum, { rounds }) => sum + rounds, 0);
    const mean = (side: 'busyMean' | 'calmMean', weight: (rounds: BusyRounds) => number) =>
      own.reduce((sum, each) => sum + each[side] * weight(each), 0) / own.reduce((sum, each) => sum + weight(each), 0);
    const busyMean = mean('busyMean', ({ blocks }) => blocks.length);
    const calmMean = mean('calmMean', ({ blocks, rounds }) => rounds - blocks.length);
    const blocks = [...new Set(own.flatMap((each) => each.blocks))].sort((a, b) => a - b);
    const { show, words } = loadMeasures[measure];
    return `in ${busy} of ${all} Rounds (${showBlocks(blocks)}): ${show(busyMean)} ${words}, otherwise ${show(calmMean)}`;
  });
  return `Flag “${flags['busy-host'].label}”: ${host} was busier ${parts.join('; ')}. Run again when nothing else uses the host.`;
}

function stateDifference(
  { scenario, measure, mean, baselineMean, blocks }: LoadDifference,
  groups: readonly ComparedGroup[],
): string {
  const group = groupOf(groups, scenario);
  const baseline = group ? `${group.baseline}, the baseline of ${group.name}` : 'the baseline';
  const { show, words } = loadMeasures[measure];
  return (
    `Flag “${flags['busy-host'].label}” (${scenario}): the hosts were ${mean > baselineMean ? 'busier' : 'less busy'} than under ${baseline}: ${show(mean)} ${words}, not ${show(baselineMean)} (${blocks} Blocks). ` +
    'Run again when nothing else uses them, unless the Scenario itself causes this.'
  );
}

/** `Blocks 3 to 6, 9`. */
function showBlocks(blocks: readonly number[]): string {
  const runs: { first: number; last: number }[] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    if (run && block === run.last + 1) run.last = block;
    else runs.push({ first: block, last: block });
  }
  return `${blocks.length === 1 ? 'Block' : 'Blocks'} ${runs.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ')}`;
}
