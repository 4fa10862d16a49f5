import { Text } from '@mantine/core';
import type { PointContrast, PointFigure, PointValue } from '#core/comparison/point-comparison.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { formatNumber } from '../../format/format-number.ts';

/** How the values of a cell are written: all in the unit and with the decimals that fit its mean. */
interface Scale {
  factor: number;
  unit: string;
  decimals: number;
}

/** A mean per Round with its interval, and below it the change against the baseline: `1 107 ± 18 kB`, `−48 % (−49 to −47)`. */
export function PointFigureValue({ figure, value }: { figure: PointFigure; value: PointValue }) {
  if (value.kind === 'absent') return <AbsentValue reason={value.reason} />;
  const { mean, halfWidth } = value.estimate;
  const scale = chooseScale(figure, mean);
  const format = (each: number) => formatNumber(each * scale.factor, scale.decimals);
  return (
    <>
      {`${format(mean)} ± ${halfWidth === null ? '—' : format(halfWidth)}${scale.unit}`}
      {value.contrast && (
        <Text size="xs" c="dimmed">
          {formatChange(value.contrast, scale)}
        </Text>
      )}
    </>
  );
}

function chooseScale(figure: PointFigure, mean: number): Scale {
  const power = figure !== 'bytes' || mean < 1e4 ? 0 : mean < 1e7 ? 1 : 2;
  const factor = 1000 ** -power;
  const unit = figure === 'bytes' ? `\u00A0${['B', 'kB', 'MB'][power]!}` : '';
  return { factor, unit, decimals: mean * factor < 100 ? 1 : 0 };
}

function formatChange({ ratio, difference }: PointContrast, scale: Scale): string {
  if (!ratio) return formatBounded(difference, scale);
  const toChange = (value: number | null) => (value === null ? null : value - 1);
  const change = { value: ratio.value - 1, low: toChange(ratio.low), high: toChange(ratio.high) };
  return formatBounded(change, { factor: 100, unit: '\u00A0%', decimals: Math.abs(change.value) < 0.0995 ? 1 : 0 });
}

function formatBounded({ value, low, high }: PointContrast['difference'], { factor, unit, decimals }: Scale): string {
  const format = (each: number) => `${each > 0 ? '+' : ''}${formatNumber(each * factor, decimals)}`;
  const interval = low === null || high === null ? 'no interval' : `${format(low)} to ${format(high)}`;
  return `${format(value)}${unit} (${interval})`;
}
