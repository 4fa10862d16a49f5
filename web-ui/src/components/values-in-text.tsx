import { findValues } from '../format/find-values.ts';

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
