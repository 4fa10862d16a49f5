import type { Scenario } from './scenario.ts';

/** A Scenario in which one User Agent of another Scenario is alone, and nothing else differs. */
export interface SoloScenario {
  name: string;
  userAgent: string;
  /** The Scenario with all User Agents. */
  of: string;
}

/** Whether a User Agent loads pages under a Scenario. */
export function takesPart({ userAgents }: Pick<Scenario, 'userAgents'>, name: string): boolean {
  return userAgents?.includes(name) ?? true;
}

/** The solo Scenarios of an Evaluation, in its order. They show what users cost each other, and are no arm of the comparison. */
export function findSolos(scenarios: readonly Scenario[]): SoloScenario[] {
  const shared = new Map(
    scenarios
      .filter(({ userAgents }) => userAgents === undefined)
      .map((scenario) => [describeConditions(scenario), scenario.name]),
  );
  return scenarios.flatMap((scenario) => {
    const [userAgent, ...others] = scenario.userAgents ?? [];
    const of = shared.get(describeConditions(scenario));
    return userAgent !== undefined && others.length === 0 && of !== undefined
      ? [{ name: scenario.name, userAgent, of }]
      : [];
  });
}

/** All but what names a Scenario and its users. Parsed Scenarios have their fields in one order. */
function describeConditions(scenario: Scenario): string {
  const {
    name: _name,
    description: _description,
    baseline: _baseline,
    userAgents: _userAgents,
    ...conditions
  } = scenario;
  return JSON.stringify(conditions);
}
