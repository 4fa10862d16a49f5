import { z } from 'zod';

/** What is kept of each Visit beside its measurement. All cost time in the browser, and are off unless asked for: `bench/har-cost.ts`. */
export const ArtefactSettingsSchema = z.strictObject({
  /** Whether the headers of all requests are recorded, for the HAR of each Visit. Without them it has none; its times are the same. */
  har: z.boolean({ error: 'must be true or false' }).default(false),
  /** Whether a picture of the viewport is taken when the page has settled and was measured. */
  screenshot: z.boolean({ error: 'must be true or false' }).default(false),
  /** Whether the viewport is filmed while the page loads. Which engines can: `explain-unsupported-settings.ts`. */
  filmstrip: z.boolean({ error: 'must be true or false' }).default(false),
});

export type ArtefactSettings = z.infer<typeof ArtefactSettingsSchema>;
