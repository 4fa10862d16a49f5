import { z } from 'zod';

/** A VPN across the emulated link: of which kind, and between which nodes of the path. */
export const TunnelSchema = z.strictObject({
  kind: z
    .enum(['wireguard', 'openvpn'], { error: 'must be "wireguard" or "openvpn"' })
    .describe('WireGuard by the kernel or by `wireguard-go`, or OpenVPN over UDP with TLS.'),
  from: z
    .enum(['user', 'terminal'], { error: 'must be "user" or "terminal"' })
    .default('user')
    .describe('Where it begins. A terminal needs `network.path`.'),
  to: z
    .enum(['gateway', 'origin'], { error: 'must be "gateway" or "origin"' })
    .default('origin')
    .describe('Where it ends. A gateway needs `network.path`.'),
});

export type Tunnel = z.infer<typeof TunnelSchema>;

export const tunnelNames: Record<Tunnel['kind'], string> = { wireguard: 'WireGuard', openvpn: 'OpenVPN' };

/** The interface of a tunnel at both of its ends: TCP passes it as the programs send it. */
export const tunnelInterface = 'tunnel0';

interface TunnelSurroundings {
  tunnel?: Tunnel | undefined;
  path?: object | undefined;
  classes?: object | undefined;
  tcpPep?: { at: readonly string[] } | undefined;
}

/** Calls `refuse` where a network cannot have its tunnel. */
export function refuseUnclearTunnel(
  { tunnel, path, classes, tcpPep }: TunnelSurroundings,
  refuse: (path: string[], message: string) => void,
): void {
  if (!tunnel) return;
  if (tunnel.from === 'terminal' && !path) refuse(['tunnel', 'from'], needsPath('terminal', 'user'));
  if (tunnel.to === 'gateway' && !path) refuse(['tunnel', 'to'], needsPath('gateway', 'origin'));
  for (const end of [tunnel.from, tunnel.to])
    if (tcpPep?.at.includes(end))
      refuse(['tcpPep', 'at'], `the ${end} is an end of the tunnel, where a PEP has no place: remove it there`);
  if (classes)
    refuse(
      ['classes'],
      'is not possible with a tunnel, in which the link does not see whose packets are whose: remove it, or "tunnel"',
    );
}

function needsPath(node: string, other: string): string {
  return `"${node}" needs network.path, which has that node: add "path: {}", or write "${other}"`;
}
