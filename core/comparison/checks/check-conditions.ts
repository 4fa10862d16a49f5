import { isOfMissed } from '../../protocol/network-figure.ts';
import type { RunMethod } from '../../record/run-method.ts';
import type { Comparison } from '../comparison.ts';
import { percent } from '../findings/finding-words.ts';
import { loadMeasureIds, loadMeasures } from '../host-load/load-measure.ts';
import { findDoubtedDifferences, showMs } from '../host-load/state-host-load.ts';
import { flags, type Flag } from '../latencies/flag.ts';
import { findStartOrderEffects } from '../users/start-order-effects.ts';
import { quantity, failed, listOnce, passed, primaryOf, unknown, type Found, type Report } from './check.ts';
import { stateWithout } from './without-blocks.ts';

export function checkBlocks({ comparison }: Report): Found {
  const { ending } = comparison;
  const fewest = Math.min(
    ...primaryOf(comparison).scenarios.map(({ reduction, blocks, isBaseline }) =>
      isBaseline ? Infinity : (reduction?.blocks ?? blocks.length),
    ),
  );
  const blocks = Number.isFinite(fewest)
    ? fewest
    : Math.min(...primaryOf(comparison).scenarios.map((of) => of.blocks.length));
  if (blocks < 5)
    return failed(`A Scenario has ${quantity(blocks, 'Block')}.`, {
      touchesReduction: true,
      effect: 'Fewer than 5 values cannot show whether the interval is right. More Rounds can.',
      step: 'add-rounds',
    });
  if (ending && ending.cellsMissed > 0)
    return failed(`${ending.cellsMissed} of ${quantity(ending.cells, 'mean')} missed the target of the Evaluation.`, {
      effect: 'The intervals hold, and are wider than was asked for.',
      step: 'add-rounds',
      place: 'missed',
    });
  return passed(
    `${quantity(blocks, 'Block')}${ending && ending.cells > 0 ? ', and every mean reached its target' : ''}.`,
  );
}

export function checkOrder({ order, warmUp }: RunMethod): Found {
  if (order !== 'random-blocks')
    return failed('The Scenarios were measured one after the other.', {
      touchesReduction: true,
      effect:
        'A drift of the conditions looks like a difference, and no interval accounts for it. Measure in random Blocks (repetition.order).',
      step: 'change',
      place: 'method',
    });
  return passed(`Every Scenario once per Block, in random order${warmUp ? ', after a warm-up' : ''}.`);
}

export function checkSteady({ comparison }: Report): Found {
  const unsteady: readonly Flag[] = ['trend', 'autocorrelated'];
  const found = findFlagged(comparison, unsteady);
  if (found.size === 0) return passed('No trend over the Blocks, and no Round follows the one before.');
  const movesReduction = primaryOf(comparison).scenarios.some(({ contrast }) =>
    contrast?.flags.some((flag) => unsteady.includes(flag)),
  );
  return failed(describeFlags(found), {
    touchesReduction: movesReduction,
    effect: movesReduction
      ? 'The reduction itself changed from Block to Block more than chance explains, so that its interval is too narrow. Run again under steady conditions.'
      : 'The intervals of the means are too narrow. The reduction is paired by Block, so that a drift slower than a Block does not move it.',
    place: 'scenarios',
  });
}

/** The Scenarios that have one of these flags. */
function findFlagged(comparison: Comparison, sought: readonly Flag[]): Map<Flag, string[]> {
  const found = new Map<Flag, string[]>();
  for (const { scenario, distribution, contrast } of primaryOf(comparison).scenarios)
    for (const flag of new Set([...(distribution?.flags ?? []), ...(contrast?.flags ?? [])]))
      if (sought.includes(flag)) found.set(flag, [...(found.get(flag) ?? []), scenario]);
  return found;
}

function describeFlags(found: ReadonlyMap<Flag, readonly string[]>): string {
  return [...found].map(([flag, names]) => `${capitalise(flags[flag].label)}: ${names.join(', ')}.`).join(' ');
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function checkShape({ comparison }: Report): Found {
  const found = findFlagged(comparison, ['skewed', 'bimodal', 'constant', 'censored']);
  if (found.size === 0) return passed('No long tail, no two modes, no values cut off.');
  const isCut = found.has('censored');
  return failed(describeFlags(found), {
    touchesReduction: isCut,
    effect: isCut
      ? 'Visits that did not load in time are in no mean, so that a slow Scenario looks faster. Raise the hard cap (pageLoad.timeoutMs).'
      : found.has('skewed') || found.has('bimodal')
        ? 'The mean hides what kinds of Visits there are. The reduction of all Blocks is still a difference of means: look at the distributions.'
        : 'Values that do not vary give intervals without width, which show nothing of chance. Look whether a clock is too coarse.',
    step: isCut ? 'change' : 'look',
    place: 'scenarios',
  });
}

export function checkLink({ linkChecks, networkFigures }: RunMethod): Found | null {
  if (linkChecks.length === 0) return null;
  const outside = linkChecks.filter((each) => each.outside > 0);
  const missed = networkFigures.filter(isOfMissed);
  if (outside.length + missed.length === 0) {
    const rounds = Math.max(...linkChecks.map((each) => each.rounds));
    return passed(
      `All ${linkChecks.length} figures of the link were within their bounds, in ${quantity(rounds, 'Round')}.`,
    );
  }
  const isOutside = outside.length > 0;
  const found = [
    ...outside.map((each) => `${each.figure} of ${each.scenario} in ${quantity(each.outside, 'check')}`),
    ...missed.map((each) => `${each.figure} up to ${each.largest ?? 0} packets of ${each.scenario}`),
  ];
  return failed(`${isOutside ? 'Out of bounds: ' : 'The link lost packets: '}${found.join('; ')}.`, {
    touchesReduction: true,
    effect: isOutside
      ? 'Those Rounds were measured over another link than the one that was asked for. Run again on a quiet host.'
      : 'The host could not keep up, and the profile loses none of these packets. Run again on a quiet host.',
    step: 'run-again',
    place: isOutside ? 'link-checks' : 'network',
  });
}

export function checkHosts({ comparison }: Report): Found {
  const { hostLoad } = comparison;
  if (hostLoad.kind === 'absent') return unknown(`${hostLoad.reason}.`);
  const throughout = hostLoad.hosts.flatMap(({ host, measures }) =>
    loadMeasureIds.flatMap((id) => {
      const { busyRatio, show, words } = loadMeasures[id];
      const median = measures[id]?.median ?? 0;
      return median >= busyRatio ? [`${host} was busy in most Rounds: ${show(median)} ${words}.`] : [];
    }),
  );
  const { busyRounds, differences } = hostLoad;
  const runAgain = 'Run again when nothing else uses the hosts.';
  if (differences.length > 0)
    return failed(
      `The hosts were not equally busy under ${listOnce(differences.map(({ scenario }) => scenario))} and the baseline.`,
      {
        touchesReduction: true,
        effect: `A part of the reduction may be the host’s own work. ${boundHostDelays(comparison)} ${runAgain}`,
        step: 'run-again',
        place: 'method',
      },
    );
  if (busyRounds.length > 0) {
    const blocks = busyRounds.flatMap((each) => each.blocks);
    const without = stateWithout(comparison, blocks);
    return failed(`${listOnce(busyRounds.map(({ host }) => host))} was busier in some Rounds.`, {
      touchesReduction: without.moves,
      effect: `${without.text} ${runAgain}`,
      step: 'run-again',
      place: 'method',
    });
  }
  if (throughout.length > 0)
    return failed(throughout.join(' '), {
      effect: `All Scenarios alike. ${boundHostDelays(comparison)} ${runAgain}`,
      step: 'run-again',
      place: 'method',
    });
  return passed(`No Round of ${listOnce(hostLoad.hosts.map(({ host }) => host))} was busier than others.`);
}

/** The bound of what the hosts added, where their Agents reported it. */
function boundHostDelays({ hostDelays }: Comparison): string {
  if (hostDelays.length === 0) return 'By how much is not known.';
  const most = Math.max(...hostDelays.map(({ meanMs }) => meanMs));
  return `A Visit took at most ${showMs(most)} longer for it, on average.`;
}

export function checkHostDelay({ comparison }: Report): Found {
  const { hostDelays, baseline, groups } = comparison;
  if (hostDelays.length === 0) return unknown('No Agent reported for how long its host held up the browser.');
  const doubted = findDoubtedDifferences(hostDelays, { primary: primaryOf(comparison), baseline, groups });
  if (doubted.length === 0) return passed(boundHostDelays(comparison));
  const partOf = ({ differenceMs, delayMs }: (typeof doubted)[0]) => Math.min(1, delayMs / differenceMs);
  const [most] = doubted.toSorted((one, other) => partOf(other) - partOf(one)) as [(typeof doubted)[0]];
  const found = `The hosts held up a Visit by up to ${showMs(most.delayMs)}, of a difference of ${showMs(most.differenceMs)} under ${most.scenario}.`;
  return failed(found, {
    touchesReduction: true,
    effect: `Up to ${percent(partOf(most))} % of the difference may be the host’s. Use a faster host, or fewer User Agents on it.`,
    step: 'run-again',
    place: 'method',
  });
}

export function checkStarts({ comparison }: Report): Found | null {
  const { userAgents, firstRequestSkew, startSkew, pageSkew, doubtfulBlocks } = comparison;
  if (userAgents.length < 2) return null;
  const skew = firstRequestSkew ?? startSkew;
  if (skew === null) return unknown('No Round reported when its User Agents started.');
  const ofPages = pageSkew ? ` Those of later pages lay ${showMs(pageSkew.largestMs)} apart at most.` : '';
  const found = `First requests lay ${showMs(skew.medianMs)} apart in the median, ${showMs(skew.largestMs)} at most.${ofPages}`;
  const apart = doubtfulBlocks?.apart ?? [];
  if (apart.length === 0) return passed(found);
  const without = stateWithout(comparison, apart);
  return failed(`${found} In ${quantity(apart.length, 'Block')} that is more than a tenth of a mean latency.`, {
    touchesReduction: without.moves,
    effect: `Users shared the link for less of their Visits. ${without.text}`,
    step: 'run-again',
    place: 'method',
  });
}

export function checkStartOrder({ comparison }: Report): Found | null {
  const { users, remarks } = comparison;
  if (users.kind === 'absent' || users.scenarios.every(({ firstToStart }) => !firstToStart)) return null;
  const found = remarks.filter(({ about }) => about === 'start-order');
  if (found.length === 0) return passed('Who started first made no difference that can be shown.');
  const shown = findStartOrderEffects(users, comparison.confidence);
  const largest = Math.max(0, ...shown.map(({ ratio }) => Math.abs(ratio)));
  return failed(
    `Under ${listOnce(shown.map(({ scenario }) => scenario))}, who starts first differs from the Round’s average by up to ${percent(largest)} %.`,
    {
      effect:
        'Every Round of each Scenario has a first, so that no reduction gains by it. Compare single users with care.',
      place: 'users',
    },
  );
}

export function checkVersions({ engineVersions, metricsVersions, added }: RunMethod): Found {
  const changes = added.flatMap((each) => each.changes);
  const ofHosts = Map.groupBy(engineVersions, ({ host, version }) => `${host} ${version.split('/')[0]}`);
  const updated = [...ofHosts.values()].filter((seen) => seen.length > 1);
  if (changes.length === 0 && updated.length === 0 && metricsVersions.length < 2)
    return passed(listOnce(engineVersions.map(({ version }) => version)) || 'One version of HTTP-AE.');
  return failed(
    [
      ...updated.map((seen) => `${seen[0]!.host} used ${listOnce(seen.map(({ version }) => version))}.`),
      ...(metricsVersions.length > 1 ? [`Metric definitions ${metricsVersions.join(' and ')}.`] : []),
      ...changes,
    ].join(' '),
    {
      effect: 'Scenarios are compared within each Block, so that no reduction mixes versions. Means do.',
      step: 'run-again',
      place: 'method',
    },
  );
}

export function checkAlone({ beside }: RunMethod): Found {
  if (beside.length === 0) return passed('No other Run was under way.');
  return failed(
    `${beside.map((id) => `Run ${id}`).join(', ')} ${beside.length === 1 ? 'was' : 'were'} under way, too.`,
    {
      touchesReduction: true,
      effect: 'Runs on the same hosts or links disturb each other. By how much is not known.',
      step: 'run-again',
      place: 'method',
    },
  );
}
