import { latencyIds, type LatencyId } from '../../core/metrics/index.ts';

/** What an assertion can be about: a latency, or the Visits as such. */
export const subjects = [...latencyIds, 'visits'] as const;
export type Subject = LatencyId | 'visits';

/** `relative`: of a Scenario against its baseline. */
export const assertedFigures = {
  reduction: { of: 'latency', isRelative: true, units: ['%'] },
  'mean-reduction': { of: 'latency', isRelative: true, units: ['%'] },
  difference: { of: 'latency', isRelative: true, units: ['ms', 's'] },
  mean: { of: 'latency', isRelative: false, units: ['ms', 's'] },
  failed: { of: 'visits', isRelative: false, units: ['%', ''] },
} as const;
export type AssertedFigure = keyof typeof assertedFigures;
export const assertedFigureIds = Object.keys(assertedFigures) as AssertedFigure[];

export const comparators = ['<=', '>=', '<', '>'] as const;
export type Comparator = (typeof comparators)[number];

/** Of a bound: a percentage, milliseconds, seconds, or a count without one. */
export type BoundUnit = '%' | 'ms' | 's' | '';

/** What a result must be, such as `totalMs: reduction of "HTTP/2" > -5%`. */
export interface Assertion {
  /** As it was written. */
  text: string;
  subject: Subject;
  figure: AssertedFigure;
  /** Null: every Scenario but the baselines or, where there is nothing else, the baseline. */
  scenario: string | null;
  /** Which it must be compared with; null where that is not said. */
  baseline: string | null;
  comparator: Comparator;
  /** In `unit`. */
  bound: number;
  unit: BoundUnit;
}

/** An assertion that cannot be understood, or not be held against this Evaluation. */
export class AssertionFault extends Error {
  readonly text: string;
  /** Index of the character in `text` where it is. */
  readonly place: number;

  constructor(message: string, { text, place }: { text: string; place: number }) {
    super(message);
    this.text = text;
    this.place = place;
  }
}
