import { z } from 'zod';
import { CountedRoundsSchema } from '../counted/counted-rounds.ts';
import { CountedValueSchema, type CountedFigure } from '../counted/counted-value.ts';

/** What HTTPEP counts in each Round: its name for people, its unit, and its definition. */
export const httpepFigures = {
  requests: {
    label: 'Requests',
    unit: 'count',
    definition: 'Requests of the browsers at the remote end, with CONNECT, per Round.',
  },
  bytesBefore: {
    label: 'Before compression',
    unit: 'bytes',
    definition: 'Bytes of bodies from the web servers, as they came, per Round. Untouched HTTPS is not among them.',
  },
  bytesAfter: {
    label: 'After compression',
    unit: 'bytes',
    definition: 'Bytes of the same bodies in the tunnel, per Round.',
  },
  tunnelBytes: {
    label: 'On the tunnel',
    unit: 'bytes',
    definition:
      'Bytes that both ends sent on the connections of the tunnel, above TCP, per Round. Untouched HTTPS is among them.',
  },
  pushed: {
    label: 'Pushed',
    unit: 'count',
    definition: 'Answers that the ground end fetched and announced before the browser asked, per Round.',
  },
  used: { label: 'Used', unit: 'count', definition: 'Pushed answers that a browser got, per Round.' },
  unused: {
    label: 'Unused',
    unit: 'count',
    definition: 'Pushed answers that no browser got, per Round.',
  },
  usedShare: { label: 'Share used', unit: 'share', definition: 'Used answers over pushed ones of the same Round.' },
  waitMs: {
    label: 'Waiting time',
    unit: 'ms',
    definition:
      'Time from a request at the remote end to the head of its answer: the mean over the answers of a Round.',
  },
  retransmissions: {
    label: 'Sent again',
    unit: 'count',
    definition: 'TCP segments of the tunnel that the kernels of both ends sent again, per Round.',
  },
} as const satisfies Record<string, CountedFigure>;
export type HttpepFigure = keyof typeof httpepFigures;
export const httpepFigureIds = Object.keys(httpepFigures) as [HttpepFigure, ...HttpepFigure[]];

/** `roundsCounted`: of which the counters of both ends are stored. */
export const ScenarioHttpepSchema = CountedRoundsSchema.extend({
  figures: z.record(z.enum(httpepFigureIds), CountedValueSchema),
});
export type ScenarioHttpep = z.infer<typeof ScenarioHttpepSchema>;

/** What HTTPEP counted in each Scenario that used it. */
export const HttpepComparisonSchema = z.object({ scenarios: z.array(ScenarioHttpepSchema) });
export type HttpepComparison = z.infer<typeof HttpepComparisonSchema>;
