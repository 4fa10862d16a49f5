import type { Comparison } from '../comparison.ts';
import { quantity, failed, listOnce, passed, primaryOf, type Found, type Report } from './check.ts';
import { describeLacking } from '../remarks/lacking-recordings.ts';
import { stateWithout } from './without-blocks.ts';

function sumOf(comparison: Comparison, of: 'visits' | 'failedVisits' | 'excludedVisits' | 'lossyVisits'): number {
  return primaryOf(comparison).scenarios.reduce((sum, scenario) => sum + scenario[of], 0);
}

export function checkFailed({ comparison }: Report): Found {
  const [visits, failures] = [sumOf(comparison, 'visits'), sumOf(comparison, 'failedVisits')];
  if (failures === 0) return passed(`All ${quantity(visits, 'Visit')} loaded.`);
  const without = stateWithout(comparison, comparison.doubtfulBlocks?.failed ?? []);
  return failed(`${failures} of ${quantity(visits, 'Visit')} failed.`, {
    touchesReduction: without.moves,
    effect: `The figures are of the others. ${without.text}`,
    step: 'look',
    place: 'urls',
  });
}

export function checkObjects({ comparison }: Report): Found {
  const lossy = sumOf(comparison, 'lossyVisits');
  if (lossy === 0) return passed('Every Visit received what others of its page received.');
  const isUnequal = primaryOf(comparison).scenarios.some(({ contrast }) => contrast?.verdict === 'not-comparable');
  const isCounted = comparison.failedObjects.rule === 'count';
  return failed(`${quantity(lossy, 'Visit')} lost objects that other Visits of the page received.`, {
    touchesReduction: isCounted,
    effect: isUnequal
      ? 'A Scenario lost more than the baseline, so there is no reduction. Find out why objects fail.'
      : isCounted
        ? 'A page without some of its objects looks fast. Leave such Visits out (pageLoad.failedObjects: exclude).'
        : 'Their latencies do not count.',
    step: 'look',
    place: 'scenarios',
  });
}

export function checkPages({ comparison }: Report): Found | null {
  const { commonPages, scenarios } = primaryOf(comparison);
  if (scenarios.length < 2) return null;
  // Common pages are those of the Scenarios that have any.
  const without = scenarios.filter(
    ({ visits, failedVisits, absentVisits, leftOutVisits }) => visits <= failedVisits + absentVisits + leftOutVisits,
  );
  if (without.length > 0 && without.length < scenarios.length)
    return failed(`No page has a value under ${listOnce(without.map(({ scenario }) => scenario))}.`, {
      effect: 'Nothing is compared with that. Its Visits show why.',
      step: 'look',
      place: 'urls',
    });
  if (commonPages.count === commonPages.of)
    return passed(`${quantity(commonPages.of, 'page')}, each by its User Agent.`);
  return failed(`Only ${commonPages.count} of ${quantity(commonPages.of, 'page')} have a value in every Scenario.`, {
    effect: 'Means cover these alone. The reduction pairs the pages that both Scenarios have.',
    step: 'look',
    place: 'urls',
  });
}

export function checkSettled({ comparison }: Report): Found {
  const { unsettledVisits } = comparison;
  if (unsettledVisits === 0) return passed('Every page was still before the hard cap.');
  const without = stateWithout(comparison, comparison.doubtfulBlocks?.unsettled ?? []);
  return failed(`${quantity(unsettledVisits, 'Visit')} had not settled by the hard cap.`, {
    touchesReduction: without.moves,
    effect: `What such a page loaded later is in no figure, so its total latency may be too low. ${without.text}`,
    step: 'look',
    place: 'scenarios',
  });
}

export function checkVisible({ comparison }: Report): Found {
  const { hiddenVisits } = comparison;
  if (hiddenVisits === 0) return passed('No page was hidden while it loaded.');
  const without = stateWithout(comparison, comparison.doubtfulBlocks?.hidden ?? []);
  return failed(`${quantity(hiddenVisits, 'Visit')} ${hiddenVisits === 1 ? 'was' : 'were'} hidden for some time.`, {
    touchesReduction: without.moves,
    effect: `Browsers load hidden pages later. ${without.text}`,
    step: 'run-again',
    place: 'scenarios',
  });
}

export function checkReplays({ comparison: { lackingRecordings } }: Report): Found | null {
  if (!lackingRecordings) return null;
  const lacking = describeLacking(lackingRecordings);
  if (lacking === null) return passed('Recordings have at least 99 % of what pages asked for.');
  return failed(lacking, {
    touchesReduction: true,
    effect: 'What is missing was answered by 404 at once. Record the page again, with more visits.',
    step: 'change',
    place: 'urls',
  });
}

export function checkExcluded({ comparison }: Report): Found {
  const excluded = sumOf(comparison, 'excludedVisits');
  if (excluded === 0) return passed('Nobody left a Visit out.');
  return failed(`A person left out ${quantity(excluded, 'Visit')}, each for a recorded reason.`, {
    touchesReduction: true,
    effect: 'Who chooses Visits after the result may choose the result. Read the reasons.',
    step: 'look',
    place: 'exclusions',
  });
}

export function checkPackets({ comparison, wire }: Report): Found | null {
  if (comparison.noCapture !== null || wire === null) return null;
  if (wire.kind === 'absent')
    return failed(wire.reason, { effect: 'No latency is touched. There are no figures of packets.', step: 'change' });
  const short = wire.scenarios.filter(({ shortfall }) => shortfall !== undefined);
  if (short.length === 0) return passed('They hold at least what the browsers received.');
  return failed(short.map(({ scenario, shortfall }) => `${scenario}: ${shortfall!}`).join(' '), {
    effect: 'No latency is touched. The figures of packets leave these Rounds out.',
    step: 'change',
    place: 'wire',
  });
}

export function checkDrops({ comparison: { bandwidth, capturePoints = [] }, wire }: Report): Found | null {
  const captured = [
    ...(bandwidth.kind === 'measured' ? [{ place: 'bandwidth', scenarios: bandwidth.scenarios }] : []),
    ...(wire?.kind === 'measured' ? [{ place: 'wire', scenarios: wire.scenarios }] : []),
    ...capturePoints
      .filter(({ scenarios }) => scenarios.some(({ roundsCounted }) => roundsCounted > 0))
      .map(({ scenarios }) => ({ place: 'capture-points', scenarios })),
  ].map(({ place, scenarios }) => ({ place, rounds: countDrops(scenarios) }));
  const [most] = captured.toSorted((one, other) => other.rounds - one.rounds);
  if (!most) return null;
  if (most.rounds === 0) return passed('The Captures took every packet.');
  const areSharesLow = captured.some(({ place, rounds }) => place === 'bandwidth' && rounds > 0);
  return failed(`Captures dropped packets in ${quantity(most.rounds, 'Round')}.`, {
    effect: `No latency is touched. ${areSharesLow ? 'Shares of the bandwidth and figures' : 'Figures'} of packets are too low there.`,
    step: 'run-again',
    place: most.place,
  });
}

function countDrops(scenarios: readonly { roundsWithDrops?: number | undefined }[]): number {
  return scenarios.reduce((sum, { roundsWithDrops = 0 }) => sum + roundsWithDrops, 0);
}
