import type { ListedVisit } from '#core/protocol/api/visit-page.ts';

/** What a reader should know of one Visit before its figure. */
export function remarksOf({ status, code, isSettled, isHidden, exclusionReason }: Pick<ListedVisit, 'status' | 'code' | 'isSettled' | 'isHidden' | 'exclusionReason'>): string[] {
  return [
    ...(status === 'failed' ? [`failed: ${code ?? 'no code'}`] : []),
    ...(isSettled === false ? ['never settled'] : []),
    ...(isHidden === true ? ['tab hidden'] : []),
    ...(exclusionReason === null ? [] : [`excluded: ${exclusionReason}`]),
  ];
}
