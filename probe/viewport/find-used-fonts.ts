import { page } from '../page-natives.ts';
import { readFamilyName, type FontFaceRule } from './collect-font-faces.ts';
import { chooseFontFaces } from './choose-font-faces.ts';
import { readShownTexts, type ShownText } from './read-shown-texts.ts';

export interface UsedFonts {
  /** Files that may draw the text: of several in one rule the browser fetches one. */
  urls: string[];
  /** Families that the document has as web fonts although no readable style sheet declares them. */
  undeclaredFamilies: string[];
}

/** The web fonts that the text of these elements is drawn with. */
export function findUsedFonts(elements: readonly Element[], faces: readonly FontFaceRule[]): UsedFonts {
  const webFamilies = new Set(
    Array.from(page.fonts)
      .filter((font) => font.status !== 'unloaded')
      .map((font) => readFamilyName(font.family)),
  );
  if (webFamilies.size === 0) return { urls: [], undeclaredFamilies: [] };

  const facesByFamily = Map.groupBy(faces, (face) => face.family);
  const urls = new Set<string>();
  const undeclaredFamilies = new Set<string>();
  for (const text of mergeByFont(elements.flatMap(readShownTexts))) {
    for (const family of text.families.filter((name) => webFamilies.has(name))) {
      const declared = facesByFamily.get(family);
      if (!declared) undeclaredFamilies.add(family);
      else for (const face of chooseFontFaces(declared, text)) face.urls.forEach((url) => urls.add(url));
    }
  }
  return { urls: [...urls], undeclaredFamilies: [...undeclaredFamilies] };
}

/** Pages have many texts and few fonts: each font is looked at once, with all its characters. */
function mergeByFont(texts: readonly ShownText[]): ShownText[] {
  const groups = Map.groupBy(texts, ({ families, weight, style }) => [...families, weight, style].join());
  return Array.from(groups.values(), (group) => ({
    ...group[0]!,
    characters: [...new Set(group.map((text) => text.characters).join(''))].join(''),
  }));
}
