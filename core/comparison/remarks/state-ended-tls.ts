import type { Scenario } from '../../evaluation/scenarios/scenario.ts';
import { listInWords } from '../findings/list-in-words.ts';
import type { Remark } from './remark.ts';

/** Under which Scenarios HTTPEP reads what is encrypted: for a network between users and origins, such figures are out of reach. */
export function stateEndedTls(scenarios: readonly Pick<Scenario, 'name' | 'httpep'>[]): Remark[] {
  const ended = scenarios.filter(({ httpep }) => httpep?.tls === 'terminate').map(({ name }) => name);
  if (ended.length === 0) return [];
  return [
    {
      about: 'ended-tls',
      text: `Under ${listInWords(ended)}, HTTPEP ends TLS and reads all that is encrypted. Browsers trust its key in this measurement only. Without such trust, HTTPS passes HTTPEP untouched and gains less.`,
    },
  ];
}
