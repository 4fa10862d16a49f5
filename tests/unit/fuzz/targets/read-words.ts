/** Code with a fault behind conditions that each have to be met before the next is seen. */
export function readWords(words: readonly string[]): string {
  if (words[0] !== 'open') return 'closed';
  if (words.length < 4) return 'open';
  if (words[1] !== 'open') return 'ajar';
  if (words.length < 5) return 'wide';
  throw new RangeError('the deepest branch');
}
