import { z } from 'zod';
import type { WordsOf } from './setting-words.ts';
import type { Engine } from './users/user-agent.ts';

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
    .describe('Whether the viewport is filmed while the page loads. Only Visits of `chrome` are.'),
});

export type ArtefactSettings = z.infer<typeof ArtefactSettingsSchema>;
export type ArtefactName = keyof ArtefactSettings;

/** The engines that give it. Only Chrome says when a frame is shown; the others can take pictures at best. The extension gives none. */
export const artefactEngines: Record<ArtefactName, readonly Engine[]> = {
  har: ['chrome', 'firefox', 'http'],
  screenshot: ['chrome', 'firefox'],
  filmstrip: ['chrome'],
};

const from = (artefact: ArtefactName) => `From User Agents with ${list(artefactEngines[artefact])}.`;

export const artefactWords: WordsOf<ArtefactSettings> = {
  har: { label: 'Record headers for the HAR of each Visit', help: `It costs time in the browser. ${from('har')}` },
  screenshot: { label: 'Screenshot of each Visit', help: `Taken after the measurement. ${from('screenshot')}` },
  filmstrip: {
    label: 'Filmstrip of each Visit',
    help: `Frames of the viewport while the page loads. It costs time in the browser. ${from('filmstrip')}`,
  },
};

function list(engines: readonly Engine[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(engines);
}
