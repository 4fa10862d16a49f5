import { z } from 'zod';

/** One figure of what the emulated network did during a Round. */
export const NetworkFigureSchema = z.object({
  /** Unique in its Round, such as `return capacity used`. */
  figure: z.string().max(200),
  unit: z.enum(['kB', '%', 'kb/s', 'ms', 'packets', 'connections']),
  /** Null when there was nothing by which it could be measured. Bounded, as those of many Rounds are added up. */
  value: z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).nullable(),
});
export type NetworkFigure = z.infer<typeof NetworkFigureSchema>;

/** The figures of a Round. */
export const NetworkFiguresSchema = z.array(NetworkFigureSchema).max(500);

const missed = 'missed';

/** Packets that a direction of a link lost although its profile loses none so, as the machine could not keep up. */
export function countMissed(direction: string, packets: number): NetworkFigure {
  return { figure: `${direction} ${missed}`, unit: 'packets', value: packets };
}

export function isOfMissed({ figure, unit }: Pick<NetworkFigure, 'figure' | 'unit'>): boolean {
  return unit === 'packets' && figure.endsWith(` ${missed}`);
}

/** `return utilisation 41.2 %`. */
export function describeNetworkFigure({ figure, unit, value }: NetworkFigure): string {
  const isCount = unit === 'connections' || unit === 'packets';
  return value === null ? `${figure} could not be measured` : `${figure} ${value.toFixed(isCount ? 0 : 1)} ${unit}`;
}

/** What is reported of a network at the end of a Round. */
export interface RoundEnd {
  figures: NetworkFigure[];
  /** Why the Round is broken; null where the network did what its Scenario says. */
  fault: string | null;
}
