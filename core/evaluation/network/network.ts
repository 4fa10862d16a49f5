import { z } from 'zod';
import { BackgroundLoadSchema } from '../scenarios/background-load.ts';
import { peakKbps } from './link-profile.ts';
import { DnsCacheSchema, HostsSchema } from './network-hosts.ts';
import { LinkProfileInputSchema } from './link-profile-input.ts';
import { NameSchema } from '../name.ts';
import { NetworkPathSchema, listSegments } from './network-path.ts';
import { ReplaySchema } from './replay.ts';
import { TcpPepSchema } from './tcp-pep.ts';
import { TcpSettingsSchema } from './tcp-settings.ts';
import { TunnelSchema } from './tunnel-settings.ts';

const SharesSchema = z
  .record(NameSchema, z.number({ error: 'must be a share, such as 0.5' }).positive('must be above 0'))
  .refine((shares) => Object.keys(shares).length > 0, 'must name at least one user class');

/** The emulated network of a Scenario: set before each of its Rounds by the Agent that holds the testbed, and checked. */
export const NetworkSchema = z.strictObject({
  host: NameSchema.default('testbed').describe('The Agent that holds the testbed.'),
  link: LinkProfileInputSchema.describe('The emulated link: the name of a preset, or a mapping.'),
  path: NetworkPathSchema.optional().describe(
    'A terminal and a gateway at the ends of the link, and what lies beyond them. Write `{}` for the two alone.',
  ),
  tcpPep: TcpPepSchema.optional().describe(
    'A proxy of the transport layer in the nodes of `path`, which splits each TCP connection. TLS stays from end to end.',
  ),
  classes: SharesSchema.optional().describe(
    'Share of the link by user class, such as `{ gold: 0.5, silver: 0.5 }`. Without it, users compete freely.',
  ),
  weights: SharesSchema.optional().describe(
    'Share by user class that a proxy, or something else than the link, is to give. The weighted fairness index uses it; the link does not.',
  ),
  tcp: z
    .strictObject({
      ground: TcpSettingsSchema.optional().describe('TCP where the origins are.'),
      remote: TcpSettingsSchema.optional().describe('TCP where the users are.'),
    })
    .prefault({})
    .describe('How TCP is set at the ends of the link. What is not given stays as the kernel has it.'),
  background: BackgroundLoadSchema.optional().describe(
    'What else crosses the link during a Round, such as `[{ kind: bulk-download, users: 2 }]`. Kinds: `bulk-download`, `bulk-upload`, `video` (with `ladderKbps`), `voice`.',
  ),
  tunnel: TunnelSchema.optional().describe(
    'A VPN between users and origin, which hides TCP from what is on the link. URLs and addresses stay the same.',
  ),
  hosts: HostsSchema.optional().describe(
    'Hosts beyond the gateway, by name: each with its server, certificate, protocols and distance. Users find them by DNS over the link.',
  ),
  replay: ReplaySchema.optional().describe('How pages of recorded Sites are replayed. Without it, all as recorded.'),
  dnsCache: DnsCacheSchema.optional().describe(
    'Whether a resolver at the users keeps the addresses of `hosts` for as long as DNS allows. Without it, `none`: each lookup crosses the link.',
  ),
});

export type Network = z.infer<typeof NetworkSchema>;

/** What the emulated link of a Scenario, or the slowest segment of its path, carries to the users (`received`) or from them, in kbps, where that is one number; null without a link, without a limit, and where the rate changes. */
export function linkCapacityKbps(
  network: Pick<Network, 'link' | 'path'> | undefined,
  way: 'received' | 'sent',
): number | null {
  if (!network) return null;
  const rates = listSegments(network).map(({ profile }) => profile[way === 'received' ? 'forward' : 'return'].rate);
  if (rates.some(({ kind }) => kind === 'trace' || kind === 'on-demand')) return null;
  const slowest = Math.min(...rates.map(peakKbps));
  return Number.isFinite(slowest) ? slowest : null;
}

/** The TCP variants that a network names, each once: those of its ends, and of its transport PEP. */
export function listTcpVariants({ tcp, tcpPep }: Network): string[] {
  return [...new Set([tcp.ground, tcp.remote, tcpPep].flatMap((end) => end?.congestionControl ?? []))];
}
