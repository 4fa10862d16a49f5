import { AppError } from '#core/app-error.ts';
import { defaultPaceRatio } from '#core/evaluation/network/httpep.ts';
import type { GroundSettings } from '#pep/ground/ground-settings.ts';
import type { PepOptions } from './pep-options.ts';

/** Throws `invalid-input` for a share of no rate. */
export function chooseRate({
  rate,
  paceRatio,
}: Pick<PepOptions, 'rate' | 'paceRatio'>): Pick<GroundSettings, 'rateKbps' | 'paceRatio'> {
  if (rate === undefined && paceRatio !== undefined)
    throw new AppError('invalid-input', '--pace-ratio needs the rate of the link: add --rate');
  return { rateKbps: rate ?? null, paceRatio: paceRatio ?? defaultPaceRatio };
}
