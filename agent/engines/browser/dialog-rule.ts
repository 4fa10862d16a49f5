/**
 * What a page is answered that puts a dialog before its user, in every engine alike. It is answered at once: nobody is there.
 *
 * - `alert` is closed, and `prompt` cancelled: there is nothing to type.
 * - `confirm` is cancelled while a page loads. In a journey it is confirmed, as by a user who wants the next page.
 * - `beforeunload`: the page is left.
 *
 * docs/agents.md lists others, which a browser does not show or which have an answer of their own.
 */
export function acceptsDialog(type: string, { isJourney }: { isJourney: boolean }): boolean {
  return type === 'beforeunload' || (type === 'confirm' && isJourney);
}
