import { AppError } from '#core/app-error.ts';
import { defaultPaceRatio } from '#core/evaluation/httpep.ts';
import type { PepOptions } from './pep-options.ts';

/** Below which rate to stay, in kb/s; null for no limit. What is above the link's rate would wait in its queue. Throws `invalid-input` for a share of no rate. */
export function choosePaceKbps({ rate, paceRatio }: Pick<PepOptions, 'rate' | 'paceRatio'>): number | null {
  if (rate !== undefined) return rate * (paceRatio ?? defaultPaceRatio);
  if (paceRatio !== undefined)
    throw new AppError('invalid-input', '--pace-ratio needs the rate of the link: add --rate');
  return null;
}
