import type { HostLoad, LoadFigure } from '#core/protocol/host-load.ts';
import { formatCount } from '../../format/format-count.ts';
import { formatNumber } from '../../format/format-number.ts';
import { formatPercent } from '../../format/format-percent.ts';

/** `4 CPUs 23 % taken, …`; what the host does not show is left out. */
export function describeLoad(load: HostLoad): string {
  if (load.kind === 'absent') return `not known (${load.reason})`;
  const { busyRatio, stealRatio, cpuPressureRatio, memoryPressureRatio, ioPressureRatio, loadAverage } = load.figures;
  return [
    `${formatCount(load.cpuCount, 'CPU')} ${show(busyRatio, formatPercent) ?? 'unknown share'} taken`,
    ...label('by other virtual machines', show(stealRatio, formatPercent)),
    ...label('waiting for a CPU', show(cpuPressureRatio, formatPercent)),
    ...label('for memory', show(memoryPressureRatio, formatPercent)),
    ...label('for a disk', show(ioPressureRatio, formatPercent)),
    ...label(
      'load average',
      show(loadAverage, (value) => formatNumber(value, 1)),
    ),
  ].join(', ');
}

function show(figure: LoadFigure, format: (value: number) => string): string | null {
  return figure.kind === 'measured' ? format(figure.value) : null;
}

function label(name: string, text: string | null): string[] {
  return text === null ? [] : [`${name} ${text}`];
}
