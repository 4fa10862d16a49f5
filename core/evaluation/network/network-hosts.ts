import { z } from 'zod';
import { mostHosts, siteProtocols } from '../../site/site.ts';
import type { WordsOf } from '../setting-words.ts';
import { durationMs } from '../units.ts';
import { resolveLinkProfile } from './link-profile-input.ts';
import { DelayMsSchema, LossRatioSchema, RateKbpsSchema, type LinkDirection } from './link-profile.ts';

const example = 'such as www.shop.test';
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';

/** As DNS has it (RFC 1123, 2.1): two labels at the least, the last no number, so that it is no address. */
const HostNameSchema = z
  .string({ error: `must be the name of a host, ${example}` })
  .max(253, 'must have at most 253 characters')
  .regex(new RegExp(`^(${label}\\.)+${label}$`), `must be the name of a host in lower case, ${example}`)
  .refine((name) => !/\.\d+$/.test(name), `must be the name of a host in lower case, ${example}`)
  .refine((name) => !name.endsWith('.localhost'), 'must not end in .localhost, which is each machine itself');

export const HostSchema = z.strictObject({
  name: HostNameSchema.describe('Its name in DNS, by which URLs name it.'),
  aliases: z
    .array(HostNameSchema, { error: 'must be a list of names of hosts' })
    .min(1, 'must have at least one name')
    .optional()
    .describe(
      'Other names of the same server. They share its address and its certificate, so HTTP/2 and HTTP/3 share connections.',
    ),
  delayMs: DelayMsSchema.optional().describe(
    'The one-way delay between the gateway and the host, in each direction. Without it, 0.',
  ),
  lossRatio: LossRatioSchema.optional().describe('The probability that a packet is lost there, in each direction.'),
  rateKbps: RateKbpsSchema.optional().describe('The rate there in kb/s, in each direction. Without it, unlimited.'),
  thinkTimeMs: durationMs({ min: 0, max: 600_000 })
    .optional()
    .describe('How long the server works on each request before it answers.'),
  protocols: z
    .array(z.enum(siteProtocols, { error: `must be one of ${siteProtocols.join(', ')}` }))
    .min(1, 'must name at least one protocol')
    .refine((protocols) => new Set(protocols).size === protocols.length, 'must name each protocol once')
    .default(['h2', 'http/1.1'])
    .describe('What it speaks over TLS, at port 443. Port 80 has HTTP/1.1. `h3` needs the program `caddy`.'),
});
export type Host = z.infer<typeof HostSchema>;

/** All names of a host, its own first. */
export function namesOf({ name, aliases = [] }: Pick<Host, 'name' | 'aliases'>): [string, ...string[]] {
  return [name, ...aliases];
}

/** Hosts beyond the emulated link, each with a name, a certificate and a distance of its own. */
export const HostsSchema = z
  .array(HostSchema, { error: 'must be a list of hosts, such as [{ name: www.shop.test }]' })
  .min(1, 'must have at least one host')
  .max(mostHosts, `must have at most ${mostHosts} hosts`)
  .superRefine((hosts, context) => {
    const first = new Map<string, number>();
    for (const [index, host] of hosts.entries())
      for (const [place, name] of namesOf(host).entries()) {
        const earlier = first.get(name);
        if (earlier === undefined) first.set(name, index);
        else
          context.addIssue({
            code: 'custom',
            path: place === 0 ? [index, 'name'] : [index, 'aliases', place - 1],
            message: `"${name}" is the name of host ${earlier + 1} of the list, too: each host has its own`,
          });
      }
    if (first.size > mostHosts)
      context.addIssue({
        code: 'custom',
        message: `must have at most ${mostHosts} names, and there are ${first.size} with the aliases`,
      });
  });

export const DnsCacheSchema = z.enum(['terminal', 'none'], { error: 'must be "terminal" or "none"' });

export const dnsCacheWords: WordsOf<{ dnsCache?: z.infer<typeof DnsCacheSchema> | undefined }> = {
  dnsCache: {
    label: 'DNS cache',
    byDefault: 'none',
    choices: { terminal: 'at the users, behind the link', none: 'none' },
    show: (place) => (place === 'terminal' ? 'at the users, behind the link' : 'none'),
  },
};

/** What lies between the gateway and a host, the same in both directions; null where nothing does. */
export function distanceOf({ delayMs = 0, lossRatio = 0, rateKbps }: Host): LinkDirection | null {
  if (delayMs === 0 && lossRatio === 0 && rateKbps === undefined) return null;
  const way = { delayMs, lossRatio, rateKbps: rateKbps ?? ('unlimited' as const) };
  return resolveLinkProfile({ forward: way, return: way }).forward;
}

interface HostsSurroundings {
  hosts?: readonly Host[] | undefined;
  dnsCache?: 'terminal' | 'none' | undefined;
  /** Recorded Sites have hosts of their own. */
  hasSites: boolean;
  tunnel?: object | undefined;
}

/** Calls `refuse` where a network cannot have its hosts. */
export function refuseUnclearHosts(
  { hosts, dnsCache, hasSites, tunnel }: HostsSurroundings,
  refuse: (path: string[], message: string) => void,
): void {
  if (dnsCache === 'terminal' && !hosts && !hasSites)
    refuse(['dnsCache'], 'keeps the addresses of "hosts", and there are none: add them, or remove it');
  if (hosts && tunnel)
    refuse(['hosts'], 'are beyond the end of a tunnel, which carries the origin only: remove "hosts", or "tunnel"');
}

/** `3 hosts: www.shop.test (20 ms, 1 % loss), …`. */
export function describeHosts(hosts: readonly Host[]): string {
  const shown = hosts.map(({ name, aliases, delayMs, lossRatio, rateKbps, thinkTimeMs, protocols }) => {
    const parts = [
      ...(aliases ? [`also ${aliases.join(' ')}`] : []),
      ...(delayMs ? [`${delayMs} ms`] : []),
      ...(lossRatio ? [`${Number((lossRatio * 100).toPrecision(3))} % loss`] : []),
      ...(rateKbps === undefined ? [] : [`${rateKbps} kb/s`]),
      ...(thinkTimeMs ? [`thinks ${thinkTimeMs} ms`] : []),
      protocols.join(' '),
    ];
    return `${name} (${parts.join(', ')})`;
  });
  return shown.join(', ');
}
