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
    .union([z.boolean(), z.literal('warm-up')], { error: 'must be true, false or "warm-up"' })
    .default(false)
    .describe(
      'Whether the viewport is filmed while the page loads, in Visits of `chrome`. `warm-up`: only in the warm-up Block, which no figure includes.',
    ),
  mainThread: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe('Whether the CPU time of the page’s main thread is recorded, in Visits of `chrome`.'),
});

export type ArtefactSettings = z.infer<typeof ArtefactSettingsSchema>;
export type ArtefactName = keyof ArtefactSettings;

/** What the Visits of one Pass are to give. */
export const PassArtefactsSchema = z.object({
  har: z.boolean().default(false),
  screenshot: z.boolean().default(false),
  filmstrip: z.boolean().default(false),
  /** Left out where it is not asked for: Agents of earlier versions do not know it. */
  mainThread: z.boolean().optional(),
});
export type PassArtefacts = z.infer<typeof PassArtefactsSchema>;

/** What a film of few frames adds to its Visit and to the time after it: `bench/har-cost.ts`. */
export const filmCostMs = 21;

/** The engines that give it. Only Chrome says when a frame is shown; the others can take pictures at best. The extension gives none. */
export const artefactEngines: Record<ArtefactName, readonly Engine[]> = {
  har: ['chrome', 'firefox', 'http'],
  screenshot: ['chrome', 'firefox'],
  filmstrip: ['chrome'],
  mainThread: ['chrome'],
};

const from = (artefact: ArtefactName) => `From User Agents with ${list(artefactEngines[artefact])}.`;

export const artefactWords: WordsOf<ArtefactSettings> = {
  har: { label: 'Record headers for the HAR of each Visit', help: `It costs time in the browser. ${from('har')}` },
  screenshot: { label: 'Screenshot of each Visit', help: `Taken after the measurement. ${from('screenshot')}` },
  filmstrip: {
    label: 'Films of the viewport',
    help: `What the page showed while it loaded. A filmed Visit takes some ${filmCostMs} ms longer. The warm-up Block is in no figure, so there it costs only that time. ${from('filmstrip')}`,
    choices: { false: 'none', 'warm-up': 'of the warm-up Block', true: 'of each Visit' },
    show: (films) => (films === 'warm-up' ? 'in the warm-up Block' : films ? 'on' : 'off'),
  },
  mainThread: {
    label: 'CPU time of the page’s main thread',
    help: `How long scripts, layout and paint took, with intervals. It made loads 8 % longer in a trial, so compare latencies without it. ${from('mainThread')}`,
  },
};

function list(engines: readonly Engine[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(engines);
}
