import { z } from 'zod';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { VisitOutcomeSchema } from '#core/protocol/visit.ts';

/** What a session's process is started with, as JSON in its only argument. */
export const SessionOptionsSchema = z.strictObject({
  pageLoad: PageLoadSchema,
  browser: BrowserSettingsSchema,
  userAgent: z.string(),
  /** Whether the headers of requests are recorded, for HARs. */
  recordsHeaders: z.boolean(),
  /** Whom it becomes before it makes any connection; null to stay the user that started it. */
  osUser: z.strictObject({ uid: z.int(), gid: z.int() }).nullable(),
});
export type SessionOptions = z.infer<typeof SessionOptionsSchema>;

/** What it receives. */
export const SessionOrderSchema = z.strictObject({ url: z.string() });
export type SessionOrder = z.infer<typeof SessionOrderSchema>;

/** What it sends: that it is ready, once, or why it is not; and the outcome of each Visit. */
export const SessionReportSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('failed'), problem: z.string() }),
  z.strictObject({ kind: z.literal('visited'), outcome: VisitOutcomeSchema }),
]);
export type SessionReport = z.infer<typeof SessionReportSchema>;
