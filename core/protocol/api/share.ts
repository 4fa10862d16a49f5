import { z } from 'zod';

const Time = z.iso.datetime({ offset: true });

/** For how many days a shared link may work. */
export const shareDays = [7, 30, 90] as const;

export const ShareRequestSchema = z
  .strictObject({
    days: z.literal([...shareDays], { error: `must be one of ${shareDays.join(', ')}` }).default(30),
  })
  .prefault({});

/** A link to one Comparison for people without an account, without its secret. */
export const ShareSummarySchema = z.object({
  id: z.string(),
  madeBy: z.string(),
  createdAt: Time,
  expiresAt: Time,
  /** To the minute; null while nobody has opened it. */
  lastUsedAt: Time.nullable(),
});
export type ShareSummary = z.infer<typeof ShareSummarySchema>;

/** The secret of a link: 256 random bits after a prefix. */
export const ShareSecretSchema = z.string().regex(/^hae_share_[\w-]{43}$/, 'must be the secret of a shared link');

/** The secret appears only here, and is stored hashed. */
export const NewShareSchema = ShareSummarySchema.extend({ secret: z.string() });
export type NewShare = z.infer<typeof NewShareSchema>;

/** What the person who opens a shared link sees. */
export const SharedComparisonSchema = z.object({ runId: z.string(), evaluationName: z.string(), expiresAt: Time });
export type SharedComparison = z.infer<typeof SharedComparisonSchema>;

/** The address of a shared link. The secret is in the fragment, which no browser sends, so that it reaches no server log and no `Referer`. */
export function shareLink(baseUrl: string, secret: string): string {
  return `${baseUrl}/shared#${secret}`;
}
