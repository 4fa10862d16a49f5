import { selectOne, type Options } from 'css-select';
import { isTag, type AnyNode, type Document, type Element } from 'domhandler';
import * as tree from 'domutils';
import type { Referrer } from './choose-referrer.ts';
import type { FontFace, StyleRule } from './style-rules.ts';

/** What a document uses of its style sheets. Addresses are whole. */
export interface StyleUseListener {
  onImage(address: string, referrer?: Referrer): void;
  onFont(address: string, referrer?: Referrer): void;
}

/**
 * How many steps from node to node may be taken for all selectors of a document, and what else costs as much: under a second. Large pages of people need a tenth.
 * What is not known then is taken as unused. Some selectors take as many steps as the document has elements, to the power of their parts.
 */
const maximumSteps = 10_000_000;

/** To take a selector apart, and to look for a word in what an element has. */
const stepsPerCharacter = { ofSelector: 4, ofText: 0.1 };

class StepsError extends Error {}

/** What browsers know and css-select does not: nobody uses the page, and it is no shadow tree. Any other unknown one makes its whole rule invalid, as in browsers. */
const pseudos = {
  defined: () => true,
  ...Object.fromEntries(
    [
      ...['focus', 'focus-visible', 'focus-within', 'target', 'host', 'autofill', '-webkit-autofill', 'modal'],
      ...['fullscreen', '-webkit-full-screen', 'popover-open', 'placeholder-shown', 'indeterminate', 'default'],
      ...['valid', 'invalid', 'user-valid', 'user-invalid', 'in-range', 'out-of-range', 'playing', 'paused'],
    ].map((name) => [name, () => false]),
  ),
};

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
  #leftSteps = maximumSteps;
  readonly #matching: Options<AnyNode, Element> = {
    adapter: countSteps((steps) => this.#spend(steps)),
    pseudos,
  };

  /** `families` are those that the document names itself. */
  constructor(document: Document, families: Iterable<string>, listener: StyleUseListener) {
    this.#document = document;
    this.#listener = listener;
    this.#families = new Set(families);
  }

  add({ rules, fontFaces }: { rules: readonly StyleRule[]; fontFaces: readonly FontFace[] }): void {
    const matching = rules.filter(({ selector }) => this.#matchesAny(selector));
    for (const { images, referrer } of matching) for (const image of images) this.#listener.onImage(image, referrer);
    for (const family of matching.flatMap(({ fontFamilies }) => fontFamilies)) this.#families.add(family);
    // A font of one sheet may be named by another.
    for (const face of fontFaces) this.#fontFaces.push(face);
    for (const face of this.#fontFaces)
      if (this.#families.has(face.family) && this.#hasSignOf(face)) this.#listener.onFont(face.address, face.referrer);
  }

  #hasSignOf({ ranges }: FontFace): boolean {
    if (ranges === null) return true;
    this.#signs ??= Array.from(new Set(tree.textContent(this.#document.children)), (sign) => sign.codePointAt(0)!);
    this.#leftSteps -= this.#signs.length * ranges.length;
    if (this.#leftSteps < 0) return false;
    return this.#signs.some((sign) => ranges.some(([first, last]) => sign >= first && sign <= last));
  }

  /** A selector that css-select does not know, or cannot work out, matches nothing: it is the page's, and may be anything. */
  #matchesAny(selector: string): boolean {
    try {
      this.#spend(stepsPerCharacter.ofSelector * selector.length);
      return selectOne(selector, this.#document, this.#matching) !== null;
    } catch (error) {
      if (error instanceof Error) return false;
      throw error;
    }
  }

  #spend(steps: number): void {
    this.#leftSteps -= steps;
    if (this.#leftSteps < 0) throw new StepsError();
  }
}

/** What css-select goes from node to node by. */
function countSteps(spend: (steps: number) => void): NonNullable<Options<AnyNode, Element>['adapter']> {
  const counted = <Nodes extends AnyNode[]>(nodes: Nodes): Nodes => {
    spend(nodes.length);
    return nodes;
  };
  return {
    ...tree,
    isTag: (node): node is Element => {
      spend(1);
      return isTag(node);
    },
    getParent: (element) => {
      spend(1);
      return tree.getParent(element);
    },
    prevElementSibling: (node) => {
      spend(1);
      return tree.prevElementSibling(node);
    },
    getChildren: (node) => counted(tree.getChildren(node)),
    getSiblings: (node) => counted(tree.getSiblings(node)),
    getAttributeValue: (element, name) => {
      const value = tree.getAttributeValue(element, name);
      spend(stepsPerCharacter.ofText * (value?.length ?? 0));
      return value;
    },
    getText: (node) => {
      const text = tree.textContent(node);
      spend(text.length);
      return text;
    },
  };
}
