/** Where it is said why something was not stored. */
export const noticesId = 'notices';

/** Brings the first field that is wrong into sight, or else what says why the Evaluation was refused, or the list of what is wrong. */
export function goToProblems(): void {
  const wrong =
    findInSight('[aria-invalid="true"]:not(textarea[wrap="off"])') ??
    findInSight(`#${noticesId}:not(:empty)`) ??
    findInSight('#problems');
  wrong?.scrollIntoView({ block: 'center' });
  wrong?.focus({ preventScroll: true });
}

/** Not in the half of the page that a narrow window hides. */
function findInSight(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
}
