import { AppError } from '#core/app-error.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { observeConnection } from '../tcp/observe-connection.ts';
import { refuseOtherReceiveBuffer } from '../tcp/set-receive-buffer.ts';
import type { TunnelCounters } from './tunnel-counters.ts';
import type { TunnelEnd, TunnelEnds } from './tunnel-end.ts';
import type { TunnelTraffic } from './tunnel-traffic.ts';

/** Named after the direction in which an end sends. */
export interface CountedEnds {
  forward: TunnelCounters;
  return: TunnelCounters;
}

/**
 * Makes a connection between users and origin, in both directions where the origin's side has settings of TCP, and compares it with what was ordered. Returns what
 * the ends have counted by then. Throws `testbed-failed`.
 */
export async function checkTunnel(
  network: TestbedNetwork,
  { mtuBytes, ends, counters }: { mtuBytes: number; ends: TunnelEnds; counters: CountedEnds },
): Promise<TunnelTraffic> {
  const remote = { address: network.remote.address, enter: network.enter('remote') };
  const ground = { address: network.ground.address, enter: network.enter('ground') };
  const isSet = Object.values(ends.origin.tcp ?? {}).some((value) => value !== undefined);
  const tries = [
    { from: remote, to: ground, end: ends.user },
    ...(isSet ? [{ from: ground, to: remote, end: ends.origin }] : []),
  ];
  const faults = await Promise.all(
    tries.map(async ({ from, to, end }) => findFaults(await observeConnection(from.enter, to), { end, mtuBytes })),
  );
  const [forward, back] = await Promise.all([counters.forward.read(), counters.return.read()]);
  const passed = [forward, back].every(({ innerPackets, outerPackets }) => innerPackets > 0 && outerPackets > 0);
  const problems = [
    ...faults.flat(),
    ...(passed ? [] : ['no packets of it passed the tunnel both ways']),
    ...(forward.strayPackets + back.strayPackets > 0 ? ['packets of it passed beside the tunnel'] : []),
  ];
  if (problems.length > 0)
    throw new AppError(
      'testbed-failed',
      `A connection through the tunnel is not as it should be: ${problems.join('; ')}`,
    );
  return { forward, return: back };
}

/** Of a connection that begins at that end of the tunnel. One that begins behind it finds the MTU on its way. */
function findFaults(
  connection: Awaited<ReturnType<typeof observeConnection>>,
  { end: { tcp }, mtuBytes }: { end: TunnelEnd; mtuBytes: number },
): string[] {
  if (tcp === null) return [];
  const { initialWindowSegments: window, receiveBufferBytes } = tcp;
  if (receiveBufferBytes !== undefined) refuseOtherReceiveBuffer(connection, receiveBufferBytes);
  const { pathMtuBytes, windowSegments } = connection;
  return [
    ...(pathMtuBytes === mtuBytes ? [] : [`its MTU is ${pathMtuBytes}, not ${mtuBytes} bytes`]),
    ...(window === undefined || window === windowSegments
      ? []
      : [`initialWindowSegments is ${windowSegments}, not ${window}`]),
  ];
}
