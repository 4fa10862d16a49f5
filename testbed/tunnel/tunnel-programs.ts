import { AppError } from '#core/app-error.ts';
import { tunnelNames, type Tunnel } from '#core/evaluation/network/tunnel.ts';
import { findMissingTools } from '../namespaces/require-tools.ts';

/** The programs of a tunnel, and Debian's package of each. */
export const tunnelPackages = {
  wireguard: { wg: 'wireguard-tools' },
  openvpn: { openvpn: 'openvpn' },
} as const satisfies Record<Tunnel['kind'], Record<string, string>>;

/** Where the kernel has no WireGuard. */
export const userspaceWireguardPackages = { 'wireguard-go': 'wireguard-go' } as const;

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
