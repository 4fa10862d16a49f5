import type { ListedVisit } from '#core/protocol/api/listed-visit.ts';
import { formatCount } from '../../../format/format-count.ts';

/** The reasons for caution with one Visit. */
export function remarksOf({
  status,
  code,
  failedObjects,
  isSettled,
  isHidden,
  exclusionReason,
}: Pick<ListedVisit, 'status' | 'code' | 'failedObjects' | 'isSettled' | 'isHidden' | 'exclusionReason'>): string[] {
  return [
    ...(status === 'failed' ? [`failed: ${code ?? 'no code'}`] : []),
    ...(failedObjects !== null && failedObjects > 0 ? [formatCount(failedObjects, 'failed object')] : []),
    ...(isSettled === false ? ['never settled'] : []),
    ...(isHidden === true ? ['tab hidden'] : []),
    ...(exclusionReason === null ? [] : [`excluded: ${exclusionReason}`]),
  ];
}
