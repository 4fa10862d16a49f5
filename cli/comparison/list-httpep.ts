import type { Comparison } from '#core/comparison/comparison.ts';
import { httpepFigures, type HttpepComparison } from '#core/comparison/network/httpep-comparison.ts';
import { listCounted } from './list-counted.ts';

/** What HTTPEP counted per Round, as rows of a table. */
export function listHttpep(
  { scenarios }: HttpepComparison,
  compared: Pick<Comparison, 'baseline' | 'groups'>,
): string[][] {
  return listCounted(scenarios, { catalogue: httpepFigures, compared });
}
