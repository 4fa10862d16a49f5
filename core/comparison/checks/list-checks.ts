import type { Check, Found, Report } from './check.ts';
import {
  checkAlone,
  checkBlocks,
  checkHostDelay,
  checkHosts,
  checkLink,
  checkOrder,
  checkShape,
  checkStartOrder,
  checkStarts,
  checkSteady,
  checkVersions,
} from './check-conditions.ts';
import {
  checkDrops,
  checkExcluded,
  checkFailed,
  checkObjects,
  checkPackets,
  checkPages,
  checkReplays,
  checkSettled,
  checkVisible,
} from './check-visits.ts';

/** Null where the check does not apply, or what it needs is not there yet. */
interface Maker {
  label: string;
  check: (report: Report) => Found | null;
}

const makers: Record<string, Maker> = {
  blocks: { label: 'Enough Blocks', check: checkBlocks },
  order: { label: 'Order balanced', check: ({ method }) => method && checkOrder(method) },
  steady: { label: 'Conditions steady', check: checkSteady },
  shape: { label: 'Means describe the Visits', check: checkShape },
  link: { label: 'Link as asked', check: ({ method }) => method && checkLink(method) },
  hosts: { label: 'Hosts quiet', check: checkHosts },
  hostDelay: { label: 'Hosts fast enough', check: checkHostDelay },
  starts: { label: 'Starts together', check: checkStarts },
  startOrder: { label: 'Start order without effect', check: checkStartOrder },
  failed: { label: 'Visits loaded', check: checkFailed },
  objects: { label: 'Objects complete', check: checkObjects },
  pages: { label: 'Same pages in every Scenario', check: checkPages },
  settled: { label: 'Pages settled', check: checkSettled },
  visible: { label: 'Pages visible', check: checkVisible },
  replays: { label: 'Recordings complete', check: checkReplays },
  excluded: { label: 'All Visits counted', check: checkExcluded },
  packets: { label: 'Packets agree with the browser', check: checkPackets },
  drops: { label: 'Captures complete', check: checkDrops },
  versions: { label: 'Same versions throughout', check: ({ method }) => method && checkVersions(method) },
  alone: { label: 'Run alone', check: ({ method }) => method && checkAlone(method) },
};

/**
 * Every check that applies to a result, failed ones first: whether what should have been measured was. A check that does not apply, as that of the link
 * without an emulated link, is not listed. Where a check fails in some Blocks, its effect compares the reduction with that of the other Blocks.
 */
export function listChecks(report: Report): Check[] {
  const checks = Object.entries(makers).flatMap(([id, { label, check }]): Check[] => {
    const found = check(report);
    return found === null
      ? []
      : [{ id, label, touchesReduction: false, effect: '', step: null, place: null, ...found }];
  });
  const rank = ({ state, touchesReduction }: Check) =>
    state === 'failed' ? (touchesReduction ? 0 : 1) : state === 'unknown' ? 2 : 3;
  return checks.sort((one, other) => rank(one) - rank(other));
}

/** How many of the checks that could be made passed. */
export function countChecks(checks: readonly Check[]): { passed: number; of: number } {
  const known = checks.filter(({ state }) => state !== 'unknown');
  return { passed: known.filter(({ state }) => state === 'passed').length, of: known.length };
}
