import { z } from 'zod';
import { PassArtefactsSchema } from '../evaluation/artefact-settings.ts';
import { BrowserSettingsSchema } from '../evaluation/browser/browser-settings.ts';
import { CaptureSettingsSchema, CaptureFilterSchema } from '../evaluation/capture/capture-settings.ts';
import { NameSchema } from '../evaluation/name.ts';
import { longestDrawInMeans, longestRestMs } from '../evaluation/users/rest.ts';
import { JourneyLegSchema } from '../evaluation/journey/journey.ts';
import { MarkNameSchema } from '../evaluation/pages/page-mark.ts';
import { PageLoadSchema } from '../evaluation/pages/page-load.ts';
import { EngineSchema, UserIdentityFields } from '../evaluation/users/user-agent.ts';
import { InterfaceSchema } from '../evaluation/users/user-identity.ts';
import { VisitUrlSchema } from '../evaluation/pages/visit-url.ts';
import { ReplayedPageSchema } from '../metrics/snapshot.ts';
import { mostHosts } from '../site/site.ts';

/** How a Capture is to be made. */
const CaptureLimitsSchema = CaptureSettingsSchema.omit({ enabled: true, isolate: true });

/** What an Agent needs to capture at a Capture Point in one Round. */
export const CaptureOrderSchema = z.object({
  captureId: z.uuid(),
  roundId: z.uuid(),
  capturePoint: NameSchema,
  interface: InterfaceSchema,
  filter: CaptureFilterSchema,
  limits: CaptureLimitsSchema,
  /** It ends automatically after this time, so that a lost order to stop leaves no capture behind. */
  endAfterMs: z.number().positive(),
});
export type CaptureOrder = z.infer<typeof CaptureOrderSchema>;

/** What an Agent needs to make one Pass: one User Agent's part of a Round. */
export const PassOrderSchema = z.object({
  passId: z.uuid(),
  runId: z.string(),
  /** One Agent makes Passes of one Round at a time: an order of another ends what it still holds. */
  roundId: z.uuid(),
  scenario: NameSchema,
  userAgent: NameSchema,
  engine: EngineSchema,
  ...UserIdentityFields,
  /** A tunnel of the Scenario begins at the users: where this interface has the source address, the traffic leaves by it instead. */
  tunnelInterface: InterfaceSchema.optional(),
  /** The Agent gives it an OS user and source ports of its own, by which its packets are captured. Never with `osUser` or `sourceAddress`. */
  isIsolated: z.boolean().optional(),
  /** Each Visit but the first begins when the Controller says so, with those of the other User Agents. */
  isInStep: z.boolean().optional(),
  pageLoad: PageLoadSchema,
  browser: BrowserSettingsSchema,
  /** Of the hosts of a replay, which `browser.protocols` is about too; left out where there is none. */
  origins: z.array(z.string().max(300)).max(mostHosts).optional(),
  /** None when left out. */
  artefacts: PassArtefactsSchema.optional(),
  /** Null: its packets are not to be captured. */
  capture: CaptureLimitsSchema.nullable(),
  /** The loads to make, in order. Repetition 0 is the unmeasured first load of a URL in a warm Pass. */
  visits: z
    .array(
      z.object({
        url: VisitUrlSchema,
        repetition: z.number().int().nonnegative(),
        /** The User Timing mark of the page that it waits for. */
        untilMark: MarkNameSchema.optional(),
        /** Of a Visit of a journey: the Visits of one journey follow each other, in one tab. */
        leg: JourneyLegSchema.optional(),
        /** Left out where the page is none of a recorded Site. */
        replay: ReplayedPageSchema.optional(),
        /** The rest before this one, in ms; as `pageLoad` says when left out. */
        restMs: z
          .number()
          .nonnegative()
          .max(longestRestMs * longestDrawInMeans)
          .optional(),
      }),
    )
    .min(1),
});

export type PassOrder = z.infer<typeof PassOrderSchema>;
