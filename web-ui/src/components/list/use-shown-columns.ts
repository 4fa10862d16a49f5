import { useMediaQuery } from '@mantine/hooks';

/** How much room a list has: all columns, without the minor ones, or each row as a block of lines. */
export type ListRoom = 'wide' | 'narrow' | 'stacked';

// As the widest lists need them; the limits of Mantine's `sm` and of the editor.
const narrowBelow = '(max-width: 68em)';
const stackedBelow = '(max-width: 40em)';

export interface RankedColumn {
  /** Left out where the window is narrow: its values are a press away, on the page that the row leads to. */
  isMinor?: boolean;
}

/** The columns that there is room for in this window. Nothing scrolls sideways for the others. */
export function useShownColumns<Column extends RankedColumn>(
  columns: readonly Column[],
): { room: ListRoom; shown: readonly Column[] } {
  const isNarrow = useMediaQuery(narrowBelow, false, { getInitialValueInEffect: false });
  const isStacked = useMediaQuery(stackedBelow, false, { getInitialValueInEffect: false });
  const room = isStacked ? 'stacked' : isNarrow ? 'narrow' : 'wide';
  return { room, shown: chooseColumns(columns, room) };
}

export function chooseColumns<Column extends RankedColumn>(
  columns: readonly Column[],
  room: ListRoom,
): readonly Column[] {
  return room === 'wide' ? columns : columns.filter(({ isMinor }) => !isMinor);
}
