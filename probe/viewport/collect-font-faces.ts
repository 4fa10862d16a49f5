import { page } from '../page-natives.ts';
import { readCssUrls, readRules } from './find-blocking-needs.ts';

/** One `@font-face` rule. */
export interface FontFaceRule {
  family: string;
  style: string;
  weight: string;
  unicodeRange: string;
  urls: string[];
}

export interface CollectedFontFaces {
  faces: FontFaceRule[];
  opaqueStyleSheets: string[];
}

/** Every `@font-face` rule that the document declares, as far as it may read its style sheets. */
export function collectFontFaces(knownTexts: ReadonlyMap<string, string>): CollectedFontFaces {
  const faces: FontFaceRule[] = [];
  const opaqueStyleSheets: string[] = [];

  const visitRules = (rules: CSSRuleList, baseUrl: string) => {
    for (const rule of rules) {
      if (rule instanceof CSSFontFaceRule) faces.push(describe(rule, baseUrl));
      else if (rule instanceof CSSImportRule && rule.styleSheet) visitSheet(rule.styleSheet);
      else if (rule instanceof CSSGroupingRule) visitRules(rule.cssRules, baseUrl);
    }
  };
  const visitSheet = (sheet: CSSStyleSheet) => {
    const rules = readRules(sheet);
    if (rules) visitRules(rules, sheet.href ?? page.baseUri);
    else if (sheet.href && !knownTexts.has(sheet.href)) opaqueStyleSheets.push(sheet.href);
  };

  for (const sheet of page.styleSheets) visitSheet(sheet);
  for (const [url, text] of knownTexts) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    visitRules(sheet.cssRules, url);
  }
  return { faces, opaqueStyleSheets };
}

function describe(rule: CSSFontFaceRule, baseUrl: string): FontFaceRule {
  const read = (property: string) => rule.style.getPropertyValue(property);
  return {
    family: readFamilyName(read('font-family')),
    style: read('font-style') || 'normal',
    weight: read('font-weight') || 'normal',
    unicodeRange: read('unicode-range'),
    urls: readCssUrls(read('src'), baseUrl),
  };
}

/** A family name without its quotation marks, in lower case: names are compared so. */
export function readFamilyName(text: string): string {
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .toLowerCase();
}
