import { z } from 'zod';

/** What is kept of each Visit beside its measurement. All cost time in the browser, and are off by default: `bench/har-cost.ts`. */
export const ArtefactSettingsSchema = z.strictObject({
  har: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe('Whether headers are recorded for the HAR of each Visit. Secret values are left out.'),
  screenshot: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe('Whether a picture of the viewport is taken after each Visit.'),
  filmstrip: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe('Whether the viewport is filmed while the page loads. `chrome` only.'),
});

export type ArtefactSettings = z.infer<typeof ArtefactSettingsSchema>;
