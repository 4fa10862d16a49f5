import { z } from 'zod';
import { enginesObeying } from './browser/engine-settings.ts';
import type { WordsOf } from './setting-words.ts';

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

export const artefactWords: WordsOf<ArtefactSettings> = {
  har: { label: 'Record headers for the HAR of each Visit', help: 'It costs time in the browser.' },
  screenshot: { label: 'Screenshot of each Visit', help: 'Taken after the measurement.' },
  filmstrip: {
    label: 'Filmstrip of each Visit',
    help: `Frames of the viewport while the page loads. Only with ${enginesObeying('filmstrip').join(', ')}. It costs time in the browser.`,
  },
};
