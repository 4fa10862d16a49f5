import { z } from 'zod';
import { Amount } from '../metrics/snapshot-bounds.ts';

/** Bounded, as those of many Passes are added up. */
const FigureSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), value: Amount }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(255) }),
]);
export type LoadFigure = z.infer<typeof FigureSchema>;

/** What of a host's load is kept. */
export const loadFigureIds = [
  'busyRatio',
  'stealRatio',
  'cpuPressureRatio',
  'memoryPressureRatio',
  'ioPressureRatio',
  'loadAverage',
  'memoryAvailableBytes',
] as const;
export type LoadFigureId = (typeof loadFigureIds)[number];

/** How busy a host was over one Pass, by its own User Agents and everything else that ran there. */
export const HostLoadSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    /** From just before the first Visit to the end of the last. */
    durationMs: z.number().positive(),
    cpuCount: z.number().int().positive(),
    figures: z.object({
      /** Part of the time of all CPUs that programs of this host had. */
      busyRatio: FigureSchema,
      /** Part of it that a hypervisor gave to others although this host had work. */
      stealRatio: FigureSchema,
      /** Part of the time in which at least one program waited for a CPU, for memory, for a disk (`some` of PSI: https://docs.kernel.org/accounting/psi.html). */
      cpuPressureRatio: FigureSchema,
      memoryPressureRatio: FigureSchema,
      ioPressureRatio: FigureSchema,
      /** Over the last minute, at the end of the Pass. */
      loadAverage: FigureSchema,
      /** At the end of the Pass. */
      memoryAvailableBytes: FigureSchema,
    }),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string().max(255) }),
]);
export type HostLoad = z.infer<typeof HostLoadSchema>;
export type MeasuredLoad = Extract<HostLoad, { kind: 'measured' }>;
