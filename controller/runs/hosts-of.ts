import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';

/** Every host that a Round of this Scenario needs. */
export function hostsOf(evaluation: Evaluation, scenario: Scenario): string[] {
  const { userAgents, capture, capturePoints } = evaluation;
  return [
    ...new Set([
      ...[...userAgents, ...(capture.enabled ? capturePoints : [])].map(({ host }) => host),
      ...managingHostsOf(scenario),
    ]),
  ];
}

/** The hosts that set a Scenario up and take it down. */
export function managingHostsOf({ setUp, afterNetwork, httpep, processes, tearDown, network }: Scenario): string[] {
  const ends = httpep ? [httpep.ground, httpep.remote] : [];
  return [...setUp, ...afterNetwork, ...ends, ...processes, ...tearDown, ...(network ? [network] : [])].map(
    ({ host }) => host,
  );
}

/** Every host that any Round needs. */
export function hostsOfAll(evaluation: Evaluation): string[] {
  return [...new Set(evaluation.scenarios.flatMap((scenario) => hostsOf(evaluation, scenario)))];
}
