import { childNodesOf } from '../page-natives.ts';
import { readFamilyName } from './collect-font-faces.ts';

/** A piece of text and the font that it asks for. */
export interface ShownText {
  characters: string;
  families: string[];
  weight: number;
  style: string;
}

/** The text that stands directly in an element, and the text generated before and after it. */
export function readShownTexts(element: Element): ShownText[] {
  const texts: ShownText[] = [];
  const own = readOwnText(element);
  if (own) texts.push({ characters: own, ...readFont(getComputedStyle(element)) });

  for (const pseudoElement of ['::before', '::after']) {
    const style = getComputedStyle(element, pseudoElement);
    const characters = style.display === 'none' ? '' : readGeneratedText(style.content);
    if (characters) texts.push({ characters, ...readFont(style) });
  }
  return texts;
}

function readOwnText(element: Element): string {
  if (element instanceof HTMLInputElement) return element.value || element.placeholder;
  if (element instanceof HTMLTextAreaElement) return element.value || element.placeholder;
  const nodes = childNodesOf(element).filter((node) => node instanceof Text);
  return nodes
    .map((node) => node.data)
    .join('')
    .trim();
}

/** Computed `content`, such as `"\f101" url("…")`: its strings. */
function readGeneratedText(content: string): string {
  return Array.from(content.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, text]) => text).join('');
}

function readFont(style: CSSStyleDeclaration): Omit<ShownText, 'characters'> {
  return {
    families: style.fontFamily.split(',').map(readFamilyName),
    weight: Number(style.fontWeight),
    style: style.fontStyle,
  };
}
