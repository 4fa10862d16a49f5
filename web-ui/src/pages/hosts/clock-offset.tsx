import { AbsentValue } from '../../components/absent-value.tsx';
import { formatNumber } from '../../format/format-number.ts';

interface ClockOffsetProps {
  offsetMs: number | null;
  errorMs: number | null;
}

export function ClockOffset({ offsetMs, errorMs }: ClockOffsetProps) {
  if (offsetMs === null) return <AbsentValue reason="The Agent’s clock has not been read yet." />;
  const error = errorMs === null ? '' : ` ± ${formatNumber(errorMs, 1)}`;
  return `${formatNumber(offsetMs, 1)}\u00A0ms${error}`;
}
