import type { AssertionFault } from '#core/assertion/assertion.ts';

/** The assertion with a mark below what is wrong, and the message. */
export function showFault({ message, text, place }: AssertionFault): string {
  const plain = text.replaceAll(/[\s\p{Cc}]/gu, ' ');
  return `  ${plain}\n  ${' '.repeat(place)}^\n${message}`;
}
