import { baselineOf, isBaseline, type ComparedGroup } from '../../core/comparison/compared-group.ts';
import { assertedFigures, AssertionFault, type Assertion } from './assertion.ts';

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
