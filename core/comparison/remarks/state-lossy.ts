import type { Scenario } from '../../evaluation/scenarios/scenario.ts';
import { listInWords } from '../findings/list-in-words.ts';
import type { Remark } from './remark.ts';

/** Which Scenarios give their users images that have lost detail: lossy and lossless figures must not be mixed up. */
export function stateLossy(scenarios: readonly Pick<Scenario, 'name' | 'httpep'>[]): Remark[] {
  const lossy = scenarios.filter(({ httpep }) => httpep && httpep.images !== 'none').map(({ name }) => name);
  if (lossy.length === 0) return [];
  return [
    {
      about: 'lossy',
      text: `Under ${listInWords(lossy)}, HTTPEP recompresses images with a loss. A part of the difference is detail that users do not get.`,
    },
  ];
}
