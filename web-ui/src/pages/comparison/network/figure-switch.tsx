import { SegmentedControl } from '@mantine/core';

interface FigureSwitchProps<Name extends string> {
  label: string;
  chosen: Name;
  choose: (name: Name) => void;
  /** In their order. */
  figures: { value: Name; label: string }[];
}

/** Which of several figures a chart shows. A narrow window scrolls it. */
export function FigureSwitch<Name extends string>({ label, chosen, choose, figures }: FigureSwitchProps<Name>) {
  return (
    <div style={{ maxWidth: 'calc(100vw - 40px)', overflowX: 'auto' }}>
      <SegmentedControl size="xs" aria-label={label} value={chosen} onChange={choose} data={figures} />
    </div>
  );
}
