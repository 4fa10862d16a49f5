import type { Network } from '#core/evaluation/network/network.ts';
import { type Tunnel, tunnelInterface } from '#core/evaluation/network/tunnel-settings.ts';
import { nodeAddresses } from '../namespaces/addresses.ts';
import { nodeInterfaces, bringUp } from '../namespaces/connect-nodes.ts';
import type { NodePlace } from '../namespaces/namespace-name.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { openWireguard, requireTunnelPrograms, tunnelPackages } from './open-wireguard.ts';
import { TestbedTunnel } from './testbed-tunnel.ts';
import { type TunnelEnd, tunnelMark, type TunnelDevice, type TunnelEnds } from './tunnel-end.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { TunnelProcess } from './tunnel-process.ts';
import 'reflect-metadata';
import { X509CertificateGenerator } from '@peculiar/x509';
import { X509Certificate } from 'node:crypto';
import { exportPrivateKey, generateKeys, signatureAlgorithm } from '../origin/certificates/certificate-authority.ts';

/** Whom one end of OpenVPN is to the other: a certificate that it signed itself, and its fingerprint. Both in PEM. */
interface OpenvpnIdentity {
  certificate: string;
  key: string;
  /** SHA-256, as `--peer-fingerprint` takes it. */
  fingerprint: string;
}

const dayMs = 86_400_000;

const port = 1194;
/** IPv4 20, UDP 8, opcode and peer 4, packet number 4, tag 16 (P_DATA_V2 with AES-256-GCM). */
const overheadBytes = 52;
/** Room for any packet; the interface has the MTU. */
const bufferBytes = 9000;
const boundLine = 'UDPv4 link remote';
const readyLine = 'Initialization Sequence Completed';

/**
 * Opens a tunnel, with keys of its own that are in no file, and exchanges them. Nothing passes it before `carry`. Only while the link is quick: over a satellite, the exchange
 * alone takes seconds. The nodes of the path must be there. Throws `testbed-refused` where its programs are missing, and `testbed-failed`.
 */
export async function openTunnel(
  network: TestbedNetwork,
  { tunnel, tcp }: { tunnel: Tunnel; tcp: Network['tcp'] },
): Promise<TestbedTunnel> {
  const ends = {
    origin: tunnel.to === 'gateway' ? nodeEnd(network, 'gateway') : hostEnd(network, { place: 'ground', tcp }),
    user: tunnel.from === 'terminal' ? nodeEnd(network, 'terminal') : hostEnd(network, { place: 'remote', tcp }),
  };
  const device = await (tunnel.kind === 'wireguard' ? openWireguard : openOpenvpn)(ends);
  return new TestbedTunnel({ tunnel, device, ends, network });
}

function hostEnd(
  network: TestbedNetwork,
  { place, tcp }: { place: 'ground' | 'remote'; tcp: Network['tcp'] },
): TunnelEnd {
  const enter = network.enter(place);
  return { ...network[place], namespace: network.namespaces[place], enter, tcp: tcp[place] ?? {} };
}

/** Both nodes have their address on the satellite segment, towards each other. */
function nodeEnd(network: TestbedNetwork, place: NodePlace): TunnelEnd {
  return {
    namespace: network.nodeNamespaces[place],
    enter: network.enter(place),
    address: nodeAddresses[place],
    ipv6Address: null,
    interface: nodeInterfaces.satellite,
    tcp: null,
  };
}

/** OpenVPN from end to end: TLS, each end known by the fingerprint of its certificate, AES-256-GCM over UDP. Throws `testbed-refused`, `testbed-failed`. */
async function openOpenvpn({ origin, user }: TunnelEnds): Promise<TunnelDevice> {
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

/** Valid for the day before `nowEpochMs` and a year after. */
async function makeOpenvpnIdentity(nowEpochMs: number): Promise<OpenvpnIdentity> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=HTTP-AE testbed tunnel',
    keys,
    notBefore: new Date(nowEpochMs - dayMs),
    notAfter: new Date(nowEpochMs + 365 * dayMs),
    signingAlgorithm: signatureAlgorithm,
  });
  const pem = certificate.toString('pem');
  return {
    certificate: pem,
    key: await exportPrivateKey(keys.privateKey),
    fingerprint: new X509Certificate(pem).fingerprint256,
  };
}
