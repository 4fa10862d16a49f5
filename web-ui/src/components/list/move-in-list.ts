/** What of a row takes the focus: what Enter opens; of a row that opens nothing, its first control. */
const inRow = 'a[href], button, [tabindex="0"]';

/** Moves the focus to the row after or before the one that has it, of the list that it is in, or else to the first row of the first list of the page. */
export function moveInList(step: 1 | -1): void {
  const active = document.activeElement?.closest('tbody tr') ?? null;
  const list = active?.closest('table') ?? document.querySelector('main table');
  const rows = [...(list?.querySelectorAll<HTMLElement>('tbody tr') ?? [])].filter((row) => row.querySelector(inRow));
  const place = rows.findIndex((row) => row === active);
  const next = place === -1 ? rows[step === 1 ? 0 : rows.length - 1] : rows[place + step];
  const target = next?.querySelector<HTMLElement>(inRow);
  target?.focus({ preventScroll: true });
  // The sticky headings of the page and of the list would cover a row that is only just in sight.
  next?.scrollIntoView({ block: 'nearest' });
}
