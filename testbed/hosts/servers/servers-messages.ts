import { z } from 'zod';
import { mostHosts, siteProtocols } from '#core/site/site.ts';

/** What the process of the hosts is started with, as JSON in its only argument. */
export const ServersOptionsSchema = z.strictObject({
  /** Of the authority that signs all certificates, which the origin has too; without it, one in memory. */
  authorityFolder: z.string().min(1).optional(),
});
export type ServersOptions = z.infer<typeof ServersOptionsSchema>;

const ServedHostSchema = z.strictObject({
  /** By all of them it has one certificate. */
  names: z.tuple([z.string()], z.string()),
  address: z.ipv4(),
  protocols: z.array(z.enum(siteProtocols)).min(1),
  thinkTimeMs: z.number().nonnegative(),
});
export type ServedHost = z.infer<typeof ServedHostSchema>;

const ReplayedFileSchema = z.strictObject({ file: z.string().min(1), pages: z.array(z.number().int().min(1)).min(1) });
/** A Site's WACZ on this machine, and those of its pages that are loaded. */
export type ReplayedFile = z.infer<typeof ReplayedFileSchema>;

const ReplaySchema = z.strictObject({
  kind: z.literal('replay'),
  sites: z.array(ReplayedFileSchema).min(1),
  /** Of the recorded time that a server took. */
  thinkTimeFactor: z.number().nonnegative(),
});
export type ReplayOfFiles = Omit<z.infer<typeof ReplaySchema>, 'kind'>;

/** What the hosts answer: the origin's own pages, or what was recorded. */
const ContentSchema = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('generated') }), ReplaySchema]);

/** Which hosts there are from now on. */
export const ServersOrderSchema = z.strictObject({
  hosts: z.array(ServedHostSchema).max(mostHosts),
  content: ContentSchema,
});
export type ServersOrder = z.infer<typeof ServersOrderSchema>;

/** Why they cannot be served; null where they are. */
export const ServersAnswerSchema = z.object({ problem: z.string().nullable() });
export type ServersAnswer = z.infer<typeof ServersAnswerSchema>;
