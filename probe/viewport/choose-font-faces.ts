import type { FontFaceRule } from './collect-font-faces.ts';
import type { ShownText } from './read-shown-texts.ts';

/**
 * The faces of one family that draw a text: of those whose `unicode-range` has any of its characters, the ones nearest in style,
 * then in weight. A plain form of https://drafts.csswg.org/css-fonts/#font-style-matching
 */
export function chooseFontFaces(faces: readonly FontFaceRule[], text: ShownText): FontFaceRule[] {
  const withCharacters = faces.filter((face) => coversAny(face.unicodeRange, text.characters));
  const isSlanted = (style: string) => /italic|oblique/.test(style);
  const sameStyle = withCharacters.filter((face) => isSlanted(face.style) === isSlanted(text.style));
  const candidates = sameStyle.length > 0 ? sameStyle : withCharacters;
  const distance = (face: FontFaceRule) => measureDistance(readWeightRange(face.weight), text.weight);
  const nearest = Math.min(...candidates.map(distance));
  return candidates.filter((face) => distance(face) === nearest);
}

/** A range such as `U+0000-00FF, U+4??`; an empty one covers everything. */
function coversAny(unicodeRange: string, characters: string): boolean {
  if (!unicodeRange) return true;
  const ranges = unicodeRange.split(',').map((part) => {
    const [from = '', to = from] = part.trim().replace(/^U\+/i, '').split('-');
    return { from: Number.parseInt(from.replaceAll('?', '0'), 16), to: Number.parseInt(to.replaceAll('?', 'F'), 16) };
  });
  return Array.from(characters).some((character) =>
    ranges.some(({ from, to }) => from <= character.codePointAt(0)! && character.codePointAt(0)! <= to),
  );
}

function readWeightRange(weight: string): { from: number; to: number } {
  const [from = 400, to = from] = weight.split(/\s+/).map((word) => ({ normal: 400, bold: 700 })[word] ?? Number(word));
  return { from, to };
}

/** Where two weights are as near, CSS prefers the lighter for up to 500 and the bolder above. */
function measureDistance({ from, to }: { from: number; to: number }, weight: number): number {
  if (weight < from) return from - weight + (weight > 500 ? 0 : 1000);
  if (weight > to) return weight - to + (weight > 500 ? 1000 : 0);
  return 0;
}
