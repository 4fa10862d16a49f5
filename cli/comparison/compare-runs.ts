import { fewDecimals } from '#core/statistics/reads-as-zero.ts';
import { AppError } from '#core/app-error.ts';
import { type Arm, findDifferences, listArms } from '#core/comparison/arms.ts';
import { compareReductions, describeReductionChange, type ReductionChange } from '#core/comparison/reduction-change.ts';
import { showConfidence } from '#core/comparison/findings/finding-words.ts';
import type { LatencyId } from '#core/metrics/index.ts';
import { type LatencyOrigin, nameLatency } from '#core/metrics/latency-origin.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../installation.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { styleText } from 'node:util';
import type { Comparison, Estimate, Reduction } from '#core/comparison/comparison.ts';
import { type UnpairedComparison, compareUnpaired } from '#core/statistics/compare-unpaired.ts';
import { absent, formatEstimate, showReduction } from './format-figures.ts';
import { formatTable, wantsColour } from './format-table.ts';
import { showPlainly } from '../plain-text.ts';
import type { Verdict } from '#core/comparison/latencies/contrast.ts';

const confidence = 0.95;

/** A Scenario as one Run measured it. */
interface MeasuredArm {
  rounds: number;
  estimate: Estimate | null;
  /** Against the baseline of its own Run; null of a baseline, and of what is not comparable with it. */
  reduction: Reduction | null;
  /** Left out of a baseline, and where there is none. */
  verdict?: Verdict;
}

/** A Scenario of either Run. A Run without it has null. */
interface PairedArm {
  scenario: string;
  a: MeasuredArm | null;
  b: MeasuredArm | null;
  /** B − A. Null where a Run lacks the Scenario or a value of it. */
  change: UnpairedComparison | null;
  /** How its reduction changed from A to B. Null where a Run has none, or fewer than two Blocks. */
  reductionChange: ReductionChange | null;
}

export interface CompareOptions extends ControllerOptions {
  metric?: LatencyId;
  from?: LatencyOrigin;
  json?: true;
  verbose?: true;
}

/** Prints the Scenarios of two Runs side by side, as the page "Runs side by side" of the web UI does. */
export async function compareRuns(
  [a, b]: [string, string],
  { metric, from, json, ...options }: CompareOptions,
): Promise<void> {
  if (a === b) throw new AppError('invalid-input', `"compare" needs two Runs, but both are Run ${a}`);
  using interrupts = watchInterrupts();
  const client = new ControllerClient(await findController(options, findHome(process.env)), interrupts.signal);
  const first = await client.readComparison(a, from, 'pooled');
  const second = await client.readComparison(b, from, 'pooled');
  const chosen = metric ?? first.primaryMetric;
  const scenarios = pairArms([first, second], chosen);
  const isColoured = wantsColour(process.stdout, process.env);
  process.stdout.write(
    json
      ? `${JSON.stringify({ metric: chosen, countedFrom: first.countedFrom ?? 'navigation-start', differences: findDifferences([first, second]), scenarios })}\n`
      : `${formatSideBySide([first, second], { metric: chosen, scenarios, isColoured })}\n`,
  );
}

/** Two Runs for a terminal: what differs between them, a row for each Scenario, and what its figures are. */
function formatSideBySide(
  comparisons: [Comparison, Comparison],
  { metric, scenarios, isColoured }: { metric: LatencyId; scenarios: PairedArm[]; isColoured: boolean },
): string {
  const [a, b] = comparisons;
  const dim = (text: string) => (isColoured ? styleText('dim', text, { validateStream: false }) : text);
  const [head, ...rows] = formatTable([
    [
      'Scenario',
      `Run ${a.runId}, ms`,
      `Run ${b.runId}, ms`,
      'Difference, ms',
      'p',
      'Cliff’s δ',
      `Reduction in ${a.runId}`,
      `in ${b.runId}`,
      'Rounds',
    ],
    ...scenarios.map((each) => [
      showPlainly(each.scenario),
      formatEstimate(each.a?.estimate ?? null),
      formatEstimate(each.b?.estimate ?? null),
      ...formatChange(each.change),
      showReduction(each.a?.reduction ?? null, each.a?.verdict),
      showReduction(each.b?.reduction ?? null, each.b?.verdict),
      `${each.a?.rounds ?? 0}, ${each.b?.rounds ?? 0}`,
    ]),
  ]);
  return [
    `A: Run ${a.runId} of "${showPlainly(a.evaluationName)}"`,
    `B: Run ${b.runId} of "${showPlainly(b.evaluationName)}"`,
    ...findDifferences(comparisons),
    '',
    `${nameLatency(metric, a.countedFrom)} by Scenario`,
    dim(head!),
    ...rows,
    '',
    ...describeChanges(comparisons, scenarios),
    dim(
      'Difference: mean of B minus mean of A, with the 95 % interval and the p of Welch’s test, not corrected. Reduction: against the baseline of the same Run.',
    ),
    dim(`Mean ± half-width, and reduction: with the ${describeConfidence(comparisons)} interval.`),
    dim(
      `Rounds of different Runs are not paired: each difference includes all changes between the Runs. ${absent}: not measured.`,
    ),
  ].join('\n');
}

/** `95 %`, or `90 % (Run 7) and 95 % (Run 9)`: what each declares. */
function describeConfidence([a, b]: [Comparison, Comparison]): string {
  if (a.confidence === b.confidence) return showConfidence(a.confidence);
  return [a, b].map((each) => `${showConfidence(each.confidence)} (Run ${each.runId})`).join(' and ');
}

/** Whether the gain changed: what is asked after one thing was. */
function describeChanges([a, b]: [Comparison, Comparison], scenarios: readonly PairedArm[]): string[] {
  return scenarios.flatMap(({ scenario, reductionChange }) =>
    reductionChange
      ? [
          showPlainly(
            describeReductionChange(reductionChange, { scenario, earlier: a.runId, later: b.runId, confidence }),
          ),
        ]
      : [],
  );
}

function formatChange(change: UnpairedComparison | null): string[] {
  if (change === null) return [absent, absent, absent];
  const { difference, cliffsDelta } = change;
  return [
    difference === null
      ? absent
      : `${signed(difference.value)} (${signed(difference.low)} to ${signed(difference.high)})`,
    difference === null ? absent : difference.p < 0.001 ? '< 0.001' : difference.p.toFixed(3),
    cliffsDelta.toFixed(2).replace('-', '−'),
  ];
}

function signed(ms: number): string {
  const text = ms.toFixed(fewDecimals(ms));
  if (Number(text) === 0) return text.replace('-', '');
  return ms > 0 ? `+${text}` : text.replace('-', '−');
}

/** The Scenarios of two Runs by name: those of A in its order, then those that only B has. */
function pairArms([a, b]: [Comparison, Comparison], metric: LatencyId): PairedArm[] {
  const armsOf = (comparison: Comparison) =>
    new Map(listArms([comparison], metric).map((arm) => [arm.scenario, arm] as const));
  const [inA, inB] = [armsOf(a), armsOf(b)];
  return [...new Set([...inA.keys(), ...inB.keys()])].map((scenario) => {
    const [one, other] = [inA.get(scenario), inB.get(scenario)];
    return {
      scenario,
      a: measured(one),
      b: measured(other),
      change: one && other ? compareUnpaired(other.values, one.values, confidence) : null,
      reductionChange: one && other ? compareReductions(one, other, confidence) : null,
    };
  });
}

function measured(arm: Arm | undefined): MeasuredArm | null {
  if (!arm) return null;
  const { values, estimate, reduction, verdict } = arm;
  return { rounds: values.length, estimate, reduction, ...(verdict && { verdict }) };
}
