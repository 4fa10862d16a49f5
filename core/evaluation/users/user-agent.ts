import { z } from 'zod';
import { NameSchema } from '../name.ts';
import type { PageLoadRules } from '../pages/page-load.ts';
import { InterfaceSchema, OsUserSchema, SourceAddressSchema } from './user-identity.ts';
import { RestSchema, type Rest } from './rest.ts';
import { durationMs, wholeNumber } from '../units.ts';

/** When a User Agent loads its pages, and how often. What is left out, `pageLoad` says. */
const UserRhythmFields = {
  visitsPerUrl: wholeNumber({ min: 1, max: 100 })
    .optional()
    .describe('How often its Pass visits each URL in succession. Without it, as `pageLoad` says.'),
  restMs: RestSchema.optional().describe(
    'The least rest before each of its Visits: a number, or `exponential: MEAN` for think times. Without it, as `pageLoad` says.',
  ),
  startOffsetMs: durationMs({ min: 0, max: 600_000 })
    .optional()
    .describe('How much later than the start of the Round it begins.'),
};

export type UserRhythmSettings = z.infer<z.ZodObject<typeof UserRhythmFields>>;

interface UserRhythm {
  visitsPerUrl: number;
  rest: Rest;
  startOffsetMs: number;
}

/** What loads the page for a User Agent. */
export const engineNames = ['chrome', 'firefox', 'http', 'extension'] as const;
export const EngineSchema = z.enum(engineNames, {
  error: (issue) => `must be "chrome", "firefox", "http" or "extension", not ${JSON.stringify(issue.input)}`,
});
export type Engine = z.infer<typeof EngineSchema>;

/** Who a User Agent is on its host and on the network. */
export const UserIdentityFields = {
  osUser: OsUserSchema.optional().describe('The OS user that its browser runs as. The Agent of the host must be root.'),
  sourceAddress: SourceAddressSchema.optional().describe(
    'The source address of its packets. With it, they are captured.',
  ),
  interface: InterfaceSchema.optional().describe(
    'The interface that its traffic leaves by. Without it, the one that has `sourceAddress`.',
  ),
};

/** One simulated user. */
export const UserAgentSchema = z.strictObject({
  name: NameSchema.describe('Shown in every table and figure.'),
  host: NameSchema.describe('The Agent that runs it.'),
  engine: EngineSchema.default('chrome').describe(
    'What loads its pages: a headless browser, the engine without a browser, or the extension in a person’s browser.',
  ),
  urlList: NameSchema.describe('The URL list that it visits.'),
  userClass: NameSchema.optional().describe('A class to group results by, such as gold, silver or bronze.'),
  ...UserRhythmFields,
  ...UserIdentityFields,
});

export type UserAgent = z.infer<typeof UserAgentSchema>;

/** The rhythm of one User Agent, with nothing left open. */
export function rhythmOf(
  { pageLoad }: { pageLoad: Pick<PageLoadRules, 'visitsPerUrl' | 'restMs'> },
  { visitsPerUrl, restMs, startOffsetMs }: UserRhythmSettings,
): UserRhythm {
  return {
    visitsPerUrl: visitsPerUrl ?? pageLoad.visitsPerUrl,
    rest: restMs ?? pageLoad.restMs,
    startOffsetMs: startOffsetMs ?? 0,
  };
}
