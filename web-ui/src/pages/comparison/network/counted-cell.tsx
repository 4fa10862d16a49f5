import { Text } from '@mantine/core';
import type { CountedUnit, CountedValue, CountContrast } from '#core/comparison/counted/counted-value.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { fewDecimals } from '#core/statistics/reads-as-zero.ts';
import { describeLess, formatMean, formatNumber } from '../../../format/format-numbers.ts';
import { formatReduction } from '../../../format/format-ratios.ts';

const scoreDecimals = 3;

/** How the values of a cell are written: all in the unit and with the decimals that fit its mean. */
interface Scale {
  factor: number;
  unit: string;
  decimals: number;
}

/** A mean per Round with its interval, and below it the change against the baseline: `1 107 ± 18 kB`, `48 % less (47 to 49)`. */
export function CountedCell({ unit, value }: { unit: CountedUnit; value: CountedValue }) {
  if (value.kind === 'absent') return <AbsentValue reason={value.reason} />;
  const { mean, halfWidth } = value.estimate;
  const scale = chooseScale(unit, mean);
  const scaled = { mean: mean * scale.factor, halfWidth: halfWidth && halfWidth * scale.factor };
  return (
    <>
      {`${formatMean(scaled, scale.decimals)}${scale.unit}`}
      {value.contrast && (
        <Text size="xs" c="dimmed">
          {formatChange(value.contrast, scale)}
        </Text>
      )}
    </>
  );
}

/** The change against the baseline, as the cell has it; empty without one. */
export function formatContrast(unit: CountedUnit, value: CountedValue): string {
  if (value.kind === 'absent' || !value.contrast) return '';
  return formatChange(value.contrast, chooseScale(unit, value.estimate.mean));
}

function chooseScale(unit: CountedUnit, mean: number): Scale {
  const { factor, name } = scaleOf(unit, mean);
  const decimals = unit === 'score' ? scoreDecimals : fewDecimals(mean * factor);
  return { factor, unit: name === '' ? '' : `\u00A0${name}`, decimals };
}

function scaleOf(unit: CountedUnit, mean: number): { factor: number; name: string } {
  switch (unit) {
    case 'bytes': {
      const power = mean < 1e4 ? 0 : mean < 1e7 ? 1 : 2;
      return { factor: 1000 ** -power, name: ['B', 'kB', 'MB'][power]! };
    }
    case 'share': {
      return { factor: 100, name: '%' };
    }
    case 'ms': {
      return { factor: 1, name: 'ms' };
    }
    case 'count':
    case 'score': {
      return { factor: 1, name: '' };
    }
  }
}

function formatChange({ ratio, difference }: CountContrast, { factor, unit, decimals }: Scale): string {
  if (ratio) {
    const toReduction = (value: number | null) => (value === null ? null : 1 - value);
    return formatReduction({
      ratio: 1 - ratio.value,
      low: toReduction(ratio.high),
      high: toReduction(ratio.low),
    });
  }
  const { shown, range } = describeLess(difference, (size) => formatNumber(size * factor, decimals), unit);
  return `${shown} (${range})`;
}
