/** How many letters must be put in, taken out or changed to make one word the other. Levenshtein 1966, by rows (Wagner, Fischer 1974). */
export function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of one.split('').entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of other.split('').entries()) {
      current.push(
        Math.min(current[column]! + 1, above[column + 1]! + 1, above[column]! + (letter === otherLetter ? 0 : 1)),
      );
    }
    above = current;
  }
  return above.at(-1)!;
}
