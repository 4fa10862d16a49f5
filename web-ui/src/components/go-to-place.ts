/** Brings a part of the page into sight, and the focus with it, from where a keyboard and a screen reader go on. At once: nothing moves for those who do not want it. */
export function goToPlace(place: string): void {
  const target = document.getElementById(place);
  target?.scrollIntoView({ block: 'start' });
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}
