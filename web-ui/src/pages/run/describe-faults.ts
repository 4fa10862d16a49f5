import type { RoundProgress } from '#core/protocol/api/run.ts';

type Faults = Pick<RoundProgress['totals'], 'visitsFailed' | 'visitsUnsettled' | 'visitsRefused'>;

/** What is wrong with Visits, such as "1 failed, 2 unsettled, 1 refused"; null when nothing is. */
export function describeFaults(...passes: Faults[]): string | null {
  const failed = passes.reduce((count, { visitsFailed }) => count + visitsFailed, 0);
  const unsettled = passes.reduce((count, { visitsUnsettled }) => count + visitsUnsettled, 0);
  const refused = passes.reduce((count, { visitsRefused }) => count + visitsRefused, 0);
  const words = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unsettled > 0 ? [`${unsettled} unsettled`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  return words.length === 0 ? null : words.join(', ');
}
