/** A number or a range with its unit, a range without one, or `p < 0.001`. */
const value =
  /(\bp [<=] \d[\d.]*|(?<![\d.])\d[\d.]*(?:–\d[\d.]*)?\s(?:%|ms|s|kb\/s|kB|MB)(?!\w)|(?<![\d.])\d[\d.]*–\d[\d.]*)/;

/** The text in pieces: a line may break between the words of one that is no value. */
export function findValues(text: string): { text: string; isValue: boolean }[] {
  return text
    .split(value)
    .map((piece, index) => ({ text: piece, isValue: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
