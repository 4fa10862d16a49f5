import { selectOne } from 'css-select';
import type { Document } from 'domhandler';
import { textContent } from 'domutils';
import type { FontFace, StyleRule } from './style-rules.ts';

/** What a document uses of its style sheets. Addresses are whole. */
export interface StyleUseListener {
  onImage(address: string): void;
  onFont(address: string): void;
}

/**
 * Finds what a document that was parsed uses of its style sheets: images of the rules that match any element of it, and of the fonts that such
 * rules name those that have a sign of its text. Which rule wins and what is displayed, only a layout knows: it may be more than a
 * browser fetches.
 */
export class StyleUse {
  readonly #document: Document;
  readonly #listener: StyleUseListener;
  readonly #families: Set<string>;
  readonly #fontFaces: FontFace[] = [];
  #signs: readonly number[] | null = null;

  /** `families` are those that the document names itself. */
  constructor(document: Document, families: Iterable<string>, listener: StyleUseListener) {
    this.#document = document;
    this.#listener = listener;
    this.#families = new Set(families);
  }

  add({ rules, fontFaces }: { rules: readonly StyleRule[]; fontFaces: readonly FontFace[] }): void {
    const matching = rules.filter(({ selector }) => matchesAny(selector, this.#document));
    for (const image of matching.flatMap(({ images }) => images)) this.#listener.onImage(image);
    for (const family of matching.flatMap(({ fontFamilies }) => fontFamilies)) this.#families.add(family);
    // A font of one sheet may be named by another.
    this.#fontFaces.push(...fontFaces);
    for (const face of this.#fontFaces)
      if (this.#families.has(face.family) && this.#hasSignOf(face)) this.#listener.onFont(face.address);
  }

  #hasSignOf({ ranges }: FontFace): boolean {
    if (ranges === null) return true;
    this.#signs ??= Array.from(new Set(textContent(this.#document.children)), (sign) => sign.codePointAt(0)!);
    return this.#signs.some((sign) => ranges.some(([first, last]) => sign >= first && sign <= last));
  }
}

/** A selector that css-select does not know, or cannot work out, matches nothing: it is the page's, and may be anything. */
function matchesAny(selector: string, document: Document): boolean {
  try {
    return selectOne(selector, document.children) !== null;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
