import { baselineOf, isBaseline, type ComparedGroup } from '#core/comparison/compared-group.ts';
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

/** What assertions must know of an Evaluation. */
export interface ComparedScenarios {
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
}

/**
 * The Scenarios that an assertion is about: the named one, else all but the baselines. Throws AssertionFault where it names one that is not there, asks to compare a
 * baseline with itself, or names another baseline than the Evaluation does.
 */
export function listAssertedScenarios(
  { text, figure, scenario, baseline }: Assertion,
  compared: ComparedScenarios,
): { scenario: string; isRelative: boolean }[] {
  const { isRelative } = assertedFigures[figure];
  const { scenarios } = compared;
  const faultAt = (name: string, message: string) =>
    new AssertionFault(message, { text, place: Math.max(0, text.lastIndexOf(name)) });
  if (scenario === null) {
    const others = scenarios.filter((name) => !isBaseline(compared, name));
    if (others.length === 0 && isRelative)
      throw faultAt(figure, `The Evaluation has only a baseline, so there is no ${figure}.`);
    return (others.length === 0 ? scenarios : others).map((name) => ({ scenario: name, isRelative }));
  }
  if (!scenarios.includes(scenario))
    throw faultAt(scenario, `The Evaluation has no Scenario "${scenario}". It has ${quote(scenarios)}.`);
  const own = baselineOf(compared, scenario);
  if (isRelative && own === scenario)
    throw faultAt(scenario, `"${scenario}" is the baseline: name a Scenario that is compared with it.`);
  if (baseline !== null && baseline !== own)
    throw faultAt(baseline, `The Evaluation compares "${scenario}" with "${own}", not with "${baseline}".`);
  return [{ scenario, isRelative }];
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
