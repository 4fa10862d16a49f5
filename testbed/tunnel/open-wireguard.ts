import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import { tunnelInterface, tunnelNames, type Tunnel } from '#core/evaluation/network/tunnel-settings.ts';
import { bringUp } from '../namespaces/connect-nodes.ts';
import { runToolWith, ToolError, runIn, type Enter } from '../namespaces/run-tool.ts';
import { tunnelMark, type TunnelDevice, type TunnelEnd, type TunnelEnds } from './tunnel-end.ts';
import { TunnelProcess } from './tunnel-process.ts';
import { generateKeyPairSync } from 'node:crypto';
import { findMissingTools } from '../namespaces/require-tools.ts';

/** The programs of a tunnel, and Debian's package of each. */
export const tunnelPackages = {
  wireguard: { wg: 'wireguard-tools' },
  openvpn: { openvpn: 'openvpn' },
} as const satisfies Record<Tunnel['kind'], Record<string, string>>;

/** Where the kernel has no WireGuard. */
const userspaceWireguardPackages = { 'wireguard-go': 'wireguard-go' } as const;

const port = 51_820;
/** IPv4 20, UDP 8, type and receiver 8, counter 8, tag 16. What is encrypted is filled up to a multiple of 16, if the MTU leaves room. */
const overheadBytes = 60;
const pollMs = 10;
const handshakeWithinMs = 10_000;

/** An end that has its interface, without keys. */
interface OpenEnd extends AsyncDisposable {
  /** Where `wg` finds the interface. */
  enter: Enter;
  explainEnd: () => string | null;
}

/** WireGuard by the kernel where it has it, else by `wireguard-go`. Throws `testbed-refused`, `testbed-failed`. */
export async function openWireguard({ origin, user }: TunnelEnds): Promise<TunnelDevice> {
  requireTunnelPrograms('wireguard', tunnelPackages.wireguard);
  await using stack = new AsyncDisposableStack();
  const inKernel = await tryInKernel(origin);
  const originEnd = stack.use(inKernel ?? (await openInUserspace(origin)));
  const userEnd = stack.use(await (inKernel ? openInKernel : openInUserspace)(user));

  const [originKeys, userKeys] = [makeWireguardKeys(), makeWireguardKeys()];
  await configure(originEnd, { keys: originKeys, peer: userKeys, peerAddress: user.address });
  await configure(userEnd, { keys: userKeys, peer: originKeys, peerAddress: origin.address });
  for (const { namespace } of [origin, user]) await bringUp({ namespace, name: tunnelInterface });
  await exchangeKeys(userEnd, originKeys.publicKey);

  const opened = stack.move();
  return {
    program: inKernel ? 'kernel' : 'wireguard-go',
    overheadBytes,
    explainFailure: () => originEnd.explainEnd() ?? userEnd.explainEnd(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Null where this kernel has no WireGuard. */
async function tryInKernel(end: TunnelEnd): Promise<OpenEnd | null> {
  try {
    return await openInKernel(end);
  } catch (error) {
    if (error instanceof ToolError && /Unknown device type|not supported/i.test(error.stderr)) return null;
    throw error;
  }
}

async function openInKernel({ enter }: TunnelEnd): Promise<OpenEnd> {
  await runIn(enter, 'ip', 'link', 'add', 'dev', tunnelInterface, 'type', 'wireguard');
  return {
    enter,
    explainEnd: () => null,
    [Symbol.asyncDispose]: async () => {
      await runIn(enter, 'ip', 'link', 'delete', 'dev', tunnelInterface);
    },
  };
}

/** Its control socket is a file under /run: in a mount namespace of its own, testbeds do not meet, and nothing is left of it. */
const startUserspace = [
  'unshare',
  '--mount',
  '--',
  'sh',
  '-ec',
  `mount -t tmpfs tmpfs /run && mkdir /run/wireguard && exec wireguard-go --foreground ${tunnelInterface}`,
] as const;

async function openInUserspace({ enter }: TunnelEnd): Promise<OpenEnd> {
  requireTunnelPrograms('wireguard', userspaceWireguardPackages);
  await using stack = new AsyncDisposableStack();
  const process = stack.use(new TunnelProcess(enter, startUserspace, { name: 'wireguard-go' }));
  const inside = ['nsenter', `--target=${process.pid}`, '--net', '--mount', '--'];
  await process.until(() => succeeds(runIn(inside, 'wg', 'show', tunnelInterface)));
  const opened = stack.move();
  return {
    enter: inside,
    explainEnd: () => process.explainEnd(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

async function configure(
  { enter }: OpenEnd,
  { keys, peer, peerAddress }: { keys: WireguardKeys; peer: WireguardKeys; peerAddress: string },
): Promise<void> {
  const settings = `[Interface]
PrivateKey = ${keys.privateKey}
ListenPort = ${port}
FwMark = ${tunnelMark}
[Peer]
PublicKey = ${peer.publicKey}
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = ${peerAddress}:${port}
`;
  // By a pipe of the shell: what Node makes its children's input of cannot be opened as a file.
  const [program, ...words] = enter;
  await runToolWith(settings, program!, ...words, 'sh', '-c', `cat | wg setconf ${tunnelInterface} /dev/stdin`);
}

/** A keepalive makes it shake hands at once, and not when the first packet waits for it. */
async function exchangeKeys({ enter, explainEnd }: OpenEnd, peerKey: string): Promise<void> {
  const keepAlive = (seconds: number) =>
    runIn(enter, 'wg', 'set', tunnelInterface, 'peer', peerKey, 'persistent-keepalive', `${seconds}`);
  await keepAlive(1);
  const deadlineMs = performance.now() + handshakeWithinMs;
  while (/\t0$/m.test(await runIn(enter, 'wg', 'show', tunnelInterface, 'latest-handshakes'))) {
    if (performance.now() > deadlineMs)
      throw new AppError(
        'testbed-failed',
        explainEnd() ?? `The ends of WireGuard did not exchange keys within ${handshakeWithinMs / 1000} s`,
      );
    await pause(pollMs);
  }
  await keepAlive(0);
}

interface WireguardKeys {
  privateKey: string;
  publicKey: string;
}

/** A pair of X25519 keys as wg(8) writes them. */
function makeWireguardKeys(): WireguardKeys {
  const { privateKey } = generateKeyPairSync('x25519');
  const { d, x } = privateKey.export({ format: 'jwk' });
  return { privateKey: asBase64(d!), publicKey: asBase64(x!) };
}

function asBase64(base64Url: string): string {
  return Buffer.from(base64Url, 'base64url').toString('base64');
}

/** Throws `testbed-refused` that names what is missing and the package that brings it. */
export function requireTunnelPrograms(kind: Tunnel['kind'], packages: Readonly<Record<string, string>>): void {
  const missing = findMissingTools(process.env.PATH ?? '', packages);
  if (missing.length === 0) return;
  const names = missing.map((program) => packages[program]!).join(' ');
  throw new AppError(
    'testbed-refused',
    `network.tunnel: ${tunnelNames[kind]} needs ${missing.map((program) => `\`${program}\``).join(', ')}, which is not installed: install ${names} (Debian, Ubuntu: sudo apt-get install ${names})`,
  );
}
