import { hasVaryingRate, type LinkDirection, type LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { judgeLink } from '../check/judge-link.ts';
import type { LinkMeasurement } from '../check/link-measurement.ts';
import { combineLosses, composePath, findBottleneck } from './compose-path.ts';

/**
 * What a path was measured to do from end to end, held against its segments, in the order that the forward direction passes them: round trip and losses of all together,
 * and the lowest rate, less what is lost behind it. That rate is not judged where packets are lost before it, as the load does not fill it then. Bursts are judged on each segment alone.
 */
export function judgePath(profiles: readonly LinkProfile[], measurement: LinkMeasurement): LinkFinding[] {
  const whole = composePath(profiles);
  const afterBottleneck = {
    ...whole,
    forward: loseAfterBottleneck(
      whole.forward,
      profiles.map(({ forward }) => forward),
    ),
    return: loseAfterBottleneck(whole.return, profiles.map(({ return: back }) => back).toReversed()),
  };
  const isVarying = profiles.some(hasVaryingRate);
  return [
    ...judgeLink(whole, measurement).filter(({ figure }) =>
      figure === 'round trip' ? !isVarying : figure === 'forward loss' || figure === 'return loss',
    ),
    ...judgeLink(afterBottleneck, measurement).filter(
      ({ figure }) => figure === 'forward rate' || figure === 'return rate',
    ),
  ];
}

/** `directions`: in the order that a packet passes them. */
function loseAfterBottleneck(whole: LinkDirection, directions: readonly LinkDirection[]): LinkDirection {
  const bottleneck = findBottleneck(directions);
  const isFilled = combineLosses(directions.slice(0, bottleneck)) === 0;
  const isConstant = directions.every(({ rate }) => rate.kind === 'constant' || rate.kind === 'unlimited');
  if (!isFilled || !isConstant) return { ...whole, rate: { kind: 'unlimited' } };
  return { ...whole, lossRatio: combineLosses(directions.slice(bottleneck)) };
}
