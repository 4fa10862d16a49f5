import type { NetworkFigure } from '#core/protocol/network-figure.ts';
import type { LinkStatistics } from '../link/link-backend.ts';

/** What was assigned on demand in each direction between its first packet and its last, and how much of it was used. Empty where nothing is assigned. */
export function capacityFigures(statistics: LinkStatistics): NetworkFigure[] {
  return (['forward', 'return'] as const).flatMap((side): NetworkFigure[] => {
    const { capacity } = statistics[side];
    if (capacity === null) return [];
    const { assignedBytes, usedBytes } = capacity;
    const inKilobytes = (figure: string, bytes: number) =>
      ({ figure: `${side} capacity ${figure}`, unit: 'kB', value: bytes / 1000 }) as const;
    return [
      inKilobytes('assigned', assignedBytes),
      inKilobytes('used', usedBytes),
      inKilobytes('wasted', Math.max(0, assignedBytes - usedBytes)),
      {
        figure: `${side} utilisation`,
        unit: '%',
        value: assignedBytes > 0 ? Math.min(100, (usedBytes / assignedBytes) * 100) : null,
      },
    ];
  });
}
