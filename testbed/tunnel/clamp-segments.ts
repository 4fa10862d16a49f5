import { tunnelInterface } from '#core/evaluation/network/tunnel.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';

const rule = '-p tcp --tcp-flags SYN,RST SYN -j TCPMSS --clamp-mss-to-pmtu'.split(' ');

/** Lets TCP that is handed on begin with segments that fit into the tunnel, as gateways do. Disposing removes the rules. */
export async function clampSegments(enter: Enter): Promise<AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  for (const direction of ['-o', '-i']) {
    const change = (action: '--append' | '--delete') =>
      runIn(enter, 'iptables', '--wait', '10', '-t', 'mangle', action, 'FORWARD', direction, tunnelInterface, ...rule);
    await change('--append');
    undo.defer(async () => {
      await change('--delete');
    });
  }
  return undo.move();
}
