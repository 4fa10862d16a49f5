import { epochClock } from '#core/clock/epoch-clock.ts';
import { tunnelInterface } from '#core/evaluation/network/tunnel.ts';
import { bringUp } from '../namespaces/bring-up.ts';
import { makeOpenvpnIdentity, type OpenvpnIdentity } from './openvpn-identity.ts';
import { tunnelMark, type TunnelDevice, type TunnelEnds } from './tunnel-end.ts';
import { TunnelProcess } from './tunnel-process.ts';
import { requireTunnelPrograms, tunnelPackages } from './tunnel-programs.ts';

const port = 1194;
/** IPv4 20, UDP 8, opcode and peer 4, packet number 4, tag 16 (P_DATA_V2 with AES-256-GCM). */
const overheadBytes = 52;
/** Room for any packet; the interface has the MTU. */
const bufferBytes = 9000;
const boundLine = 'UDPv4 link remote';
const readyLine = 'Initialization Sequence Completed';

/** OpenVPN from end to end: TLS, each end known by the fingerprint of its certificate, AES-256-GCM over UDP. Throws `testbed-refused`, `testbed-failed`. */
export async function openOpenvpn({ origin, user }: TunnelEnds): Promise<TunnelDevice> {
  requireTunnelPrograms('openvpn', tunnelPackages.openvpn);
  const nowEpochMs = epochClock();
  const [originIdentity, userIdentity] = await Promise.all([
    makeOpenvpnIdentity(nowEpochMs),
    makeOpenvpnIdentity(nowEpochMs),
  ]);
  await using stack = new AsyncDisposableStack();
  const processes: TunnelProcess[] = [];
  for (const { end, other, ...identities } of [
    { end: origin, other: user, identity: originIdentity, peer: userIdentity, role: ['tls-server', 'dh none'] },
    { end: user, other: origin, identity: userIdentity, peer: originIdentity, role: ['tls-client'] },
  ]) {
    const process = stack.use(
      new TunnelProcess(end.enter, ['openvpn', '--config', 'stdin'], {
        name: 'openvpn',
        input: writeSettings({ address: end.address, peerAddress: other.address, ...identities }),
      }),
    );
    // The second finds the first: one whose first packet is lost tries again after seconds.
    await process.until(() => process.output.includes(boundLine));
    processes.push(process);
  }
  for (const process of processes) await process.until(() => process.output.includes(readyLine));
  for (const { namespace } of [origin, user]) await bringUp({ namespace, name: tunnelInterface });

  const opened = stack.move();
  return {
    program: `openvpn ${/^OpenVPN (\S+)/m.exec(processes[0]!.output)?.[1] ?? ''}`.trim(),
    overheadBytes,
    explainFailure: () => processes.map((process) => process.explainEnd()).find((end) => end !== null) ?? null,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Keys are within, so that no file has them. Packets are never cut or changed: the MTU is set right instead. */
function writeSettings({
  address,
  peerAddress,
  identity,
  peer,
  role,
}: {
  address: string;
  peerAddress: string;
  identity: OpenvpnIdentity;
  peer: OpenvpnIdentity;
  role: readonly string[];
}): string {
  return `${role.join('\n')}
dev ${tunnelInterface}
dev-type tun
proto udp4
local ${address}
remote ${peerAddress}
port ${port}
mark ${tunnelMark}
allow-recursive-routing
cipher AES-256-GCM
data-ciphers AES-256-GCM
disable-dco
allow-compression no
tun-mtu ${bufferBytes}
mssfix 0
verb 3
suppress-timestamps
peer-fingerprint ${peer.fingerprint}
<cert>
${identity.certificate.trim()}
</cert>
<key>
${identity.key.trim()}
</key>
`;
}
