/** Brings a part of the page into sight, and the focus with it, so that a keyboard and a screen reader continue from there. It jumps without motion, and opens what is folded around it. */
export function goToPlace(place: string): void {
  const target = document.getElementById(place);
  for (let folded = target?.closest('details'); folded; folded = folded.parentElement?.closest('details'))
    folded.open = true;
  target?.scrollIntoView({ block: 'start' });
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}
