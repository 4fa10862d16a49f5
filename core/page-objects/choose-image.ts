import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { Display } from './display.ts';
import { chooseCandidate, readSourceSet } from './image-candidates.ts';
import { matchesMedia } from './media-query.ts';

/** What Chrome can decode. */
const imageTypes = /^image\/(avif|webp|apng|png|jpeg|jpg|pjpeg|gif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon|x-png)$/i;

/**
 * The address of the image that an `img` shows on a display, as written; null for none. A `picture` decides by those of its sources
 * that stand before. https://html.spec.whatwg.org/multipage/images.html#update-the-source-set
 */
export function chooseImage(image: Element, display: Display): string | null {
  for (const source of findSources(image)) {
    const { srcset, type, media, sizes } = source.attribs;
    if (!srcset || (type && !imageTypes.test(type.trim())) || !matchesMedia(media, display)) continue;
    const candidates = readSourceSet(srcset, { sizes, display });
    if (candidates.length > 0) return chooseCandidate(candidates, display);
  }
  const { src = '', srcset = '', sizes } = image.attribs;
  const candidates = readSourceSet(srcset, { sizes, display });
  const hasWidths = /\s\d+w\s*(,|$)/i.test(srcset);
  const needsSource = src.trim() !== '' && !hasWidths && !candidates.some(({ density }) => density === 1);
  return chooseCandidate(needsSource ? [...candidates, { url: src, density: 1 }] : candidates, display);
}

function findSources(image: Element): Element[] {
  const { parent } = image;
  if (!parent || !isTag(parent) || parent.name !== 'picture') return [];
  const elements = parent.children.filter(isTag);
  const before = elements.slice(0, elements.includes(image) ? elements.indexOf(image) : elements.length);
  return before.filter(({ name }) => name === 'source');
}
