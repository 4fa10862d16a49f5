/** A number or a range with its unit, a range without one, or `p < 0.001`. */
const value =
  /(\bp [<=] \d[\d.]*|(?<![\d.])\d[\d.]*(?:–\d[\d.]*)?\s(?:%|×|ms|s|kb\/s|kB|MB)(?!\w)|(?<![\d.])\d[\d.]*–\d[\d.]*)/;

/** The text, in which no line breaks within a value such as `87–98 %`. What is copied from it is the text as it is. */
export function ValuesInText({ text }: { text: string }) {
  return findValues(text).map((piece, index) =>
    piece.isValue ? (
      <span key={index} style={{ whiteSpace: 'nowrap' }}>
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}

/** The text in pieces: a line may break between the words of one that is no value. */
export function findValues(text: string): { text: string; isValue: boolean }[] {
  return text
    .split(value)
    .map((piece, index) => ({ text: piece, isValue: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
