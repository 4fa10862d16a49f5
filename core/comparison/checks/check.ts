import type { RunMethod } from '../../record/run-method.ts';
import type { Comparison, MetricComparison } from '../comparison.ts';
import type { WireComparison } from '../network/compare-wire.ts';

/** What an evaluator does about a check that failed. */
export type CheckStep = 'run-again' | 'add-rounds' | 'look' | 'change';

/** Something that has to hold for a result to be trusted. */
export interface Check {
  id: string;
  /** What is to hold, in a few words: "Link as asked". */
  label: string;
  state: 'passed' | 'failed' | 'unknown';
  /** What was found. Of one that is not known, why. */
  found: string;
  /** Of one that failed: whether the reduction may be wrong for it. */
  touchesReduction: boolean;
  /** Of one that failed: what it means for the reduction, by how much at most where that is known, and what to do. */
  effect: string;
  step: CheckStep | null;
  /** The part of the report with the details. */
  place: string | null;
}

export interface Report {
  comparison: Comparison;
  /** Null until it is there. */
  method: RunMethod | null;
  wire: WireComparison | null;
}

/** What a check has found; what it leaves out is as of one that passed. */
export type Found = Pick<Check, 'state' | 'found'> & Partial<Check>;

export const passed = (found: string): Found => ({ state: 'passed', found });
export const unknown = (found: string): Found => ({ state: 'unknown', found });
export const failed = (found: string, rest: Omit<Partial<Check>, 'state' | 'found'>): Found => ({
  state: 'failed',
  found,
  ...rest,
});

export function primaryOf({ metrics, primaryMetric }: Comparison): MetricComparison {
  return metrics.find(({ metric }) => metric === primaryMetric)!;
}

/** `1 Block`, `3 Blocks`. */
export function quantity(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

export function listOnce(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}
