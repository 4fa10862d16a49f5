import type { Httpep } from '../../evaluation/network/httpep.ts';
import type { Network } from '../../evaluation/network/network.ts';

/**
 * The weight of each User Agent: an equal part of the weight of its class, as the emulated link or HTTPEP shares, or as `weights` declares. Null where the Scenario has neither, or a
 * User Agent is of none of them: what it is due is not said then.
 */
export function weighUsers(
  userAgents: readonly { name: string; userClass?: string | undefined }[],
  {
    network,
    httpep,
  }: { network?: Pick<Network, 'classes' | 'weights'> | undefined; httpep?: Pick<Httpep, 'classes'> | undefined },
): Map<string, number> | null {
  const classes = new Map(Object.entries(network?.classes ?? network?.weights ?? httpep?.classes ?? {}));
  const weights = new Map<string, number>();
  for (const { name, userClass } of userAgents) {
    const weight = userClass === undefined ? undefined : classes.get(userClass);
    if (weight === undefined) return null;
    weights.set(name, weight / userAgents.filter((other) => other.userClass === userClass).length);
  }
  return weights;
}
