import type { Scenario } from '../evaluation/scenario.ts';
import type { Remark } from './remark.ts';

/** Which Scenarios give their users images that have lost detail: lossy and lossless figures must not be mixed up. */
export function stateLossy(scenarios: readonly Pick<Scenario, 'name' | 'httpep'>[]): Remark[] {
  const lossy = scenarios.filter(({ httpep }) => httpep && httpep.images !== 'none').map(({ name }) => name);
  if (lossy.length === 0) return [];
  const names = lossy.length === 1 ? lossy[0]! : `${lossy.slice(0, -1).join(', ')} and ${lossy.at(-1)!}`;
  return [
    {
      about: 'lossy',
      text: `Under ${names}, HTTPEP recompresses images with a loss. A part of the difference is detail that users do not get.`,
    },
  ];
}
