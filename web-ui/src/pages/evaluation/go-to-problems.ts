/** Brings the first field that is wrong into sight, or else the list of what is wrong. */
export function goToProblems(): void {
  const wrong =
    document.querySelector<HTMLElement>('[aria-invalid="true"]:not(textarea[wrap="off"])') ??
    document.getElementById('problems');
  wrong?.scrollIntoView({ block: 'center' });
  wrong?.focus({ preventScroll: true });
}
