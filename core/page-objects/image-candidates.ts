import { matchesMedia } from './media-query.ts';
import { readLength } from './css-length.ts';
import type { Display } from './display.ts';

export interface ImageCandidate {
  url: string;
  /** Device pixels for one CSS pixel that it is meant for. */
  density: number;
}

/** What Chrome can decode. */
const imageTypes = /^image\/(avif|webp|apng|png|jpeg|jpg|pjpeg|gif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon|x-png)$/i;

/** Whether browsers can show images of a type, which may have parameters. */
export function isReadableImage(type: string): boolean {
  return imageTypes.test(type.split(';', 1)[0]!.trim());
}

/** Attributes of people have a tenth of it. What is longer is left out. */
const maximumCharacters = { srcset: 100_000, sizes: 5000 };

/** The candidates of a `srcset`; those that are malformed are left out. https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute */
export function readSourceSet(
  srcset: string,
  { sizes, display }: { sizes: string | undefined; display: Display },
): ImageCandidate[] {
  const found: ImageCandidate[] = [];
  if (srcset.length > maximumCharacters.srcset) return found;
  let widthPx: number | null = null;
  const readWidth = () => (widthPx ??= readSizes(sizes ?? '', display));
  let place = 0;
  /** What the sticky pattern matches here; the place is after it then. */
  const read = (pattern: RegExp) => {
    pattern.lastIndex = place;
    const [text = ''] = pattern.exec(srcset) ?? [];
    place += text.length;
    return text;
  };
  for (;;) {
    read(/[\s,]+/y);
    const url = read(/\S+/y);
    if (url === '') break;
    if (url.endsWith(',')) {
      found.push({ url: url.replace(/(?<!,),+$/, ''), density: 1 });
      continue;
    }
    // Commas in brackets do not part candidates: they are for descriptors to come.
    const descriptors = read(/(?:\([^)]*\)|[^,(])+/y);
    const density = readDensity(descriptors.trim(), readWidth);
    if (density !== null) found.push({ url, density });
    // An opened bracket that is never closed is the end.
    if (srcset[place] === '(') break;
  }
  return found;
}

function readDensity(descriptors: string, readWidth: () => number): number | null {
  const parts = descriptors.split(/\s+/).filter((part) => part !== '' && !/^\d+h$/.test(part));
  if (parts.length === 0) return 1;
  const match = parts.length === 1 ? /^(-?[\d.]+(?:e[+-]?\d+)?)([wx])$/i.exec(parts[0]!) : null;
  const value = match ? Number(match[1]) : NaN;
  if (!(value > 0)) return null;
  return match![2]!.toLowerCase() === 'x' ? value : value / readWidth();
}

/** The width that an image is to have, in CSS pixels. https://html.spec.whatwg.org/multipage/images.html#parsing-a-sizes-attribute */
function readSizes(sizes: string, display: Display): number {
  for (const entry of sizes.length > maximumCharacters.sizes ? [] : splitOutsideBrackets(sizes)) {
    const start = findLastComponent(entry.trim());
    const widthPx = readLength(entry.trim().slice(start), display);
    if (widthPx !== null && widthPx >= 0 && matchesMedia(entry.trim().slice(0, start), display))
      return Math.max(widthPx, 1);
  }
  return display.widthPx;
}

/** Where the length begins, before which the media condition stands. */
function findLastComponent(entry: string): number {
  let depth = 0;
  for (let place = entry.length - 1; place >= 0; place--) {
    depth += entry[place] === ')' ? 1 : entry[place] === '(' ? -1 : 0;
    if (depth === 0 && /\s/.test(entry[place]!)) return place + 1;
  }
  return 0;
}

function splitOutsideBrackets(text: string): string[] {
  let depth = 0;
  return Array.from(text).reduce<string[]>(
    (parts, sign) => {
      depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
      if (sign === ',' && depth === 0) parts.push('');
      else parts.push(`${parts.pop() ?? ''}${sign}`);
      return parts;
    },
    [''],
  );
}

/**
 * The candidate for a display: of the two around its density the one that is nearer by the geometric mean, as in Chrome
 * (third_party/blink/renderer/core/html/parser/html_srcset_parser.cc). Null when there is none.
 */
export function chooseCandidate(candidates: readonly ImageCandidate[], { scaleRatio }: Display): string | null {
  const sorted = candidates
    .toSorted((a, b) => a.density - b.density)
    .filter(({ density }, index, all) => index === 0 || density !== all[index - 1]!.density);
  for (const [index, { url, density }] of sorted.entries()) {
    const next = sorted[index + 1];
    if (!next) return url;
    if (next.density < scaleRatio) continue;
    const isNextNearer = (scaleRatio <= 1 && scaleRatio > density) || scaleRatio >= Math.sqrt(density * next.density);
    return isNextNearer ? next.url : url;
  }
  return null;
}
