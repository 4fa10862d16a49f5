import { urgencies, type ObjectType, type Wish } from './wish.ts';
import { type Element, isTag } from 'domhandler';
import type { Display } from './display.ts';
import { svgNamespace } from './document-parser.ts';
import { chooseCandidate, isReadableImage, readSourceSet } from './image-candidates.ts';
import { matchesMedia } from './media-query.ts';

const image = (address: string | null | undefined, initiatorType = 'img'): Wish[] =>
  address ? [{ kind: 'object', address, type: 'image', urgency: urgencies.image, initiatorType }] : [];

/** What an element is there for, as soon as its start tag has come. Nothing is lazy here: where nothing is laid out, nothing is known to be far away. */
export function listElementWishes(element: Element, display: Display): Wish[] {
  return element.namespace === svgNamespace ? listSvgWishes(element) : listHtmlWishes(element, display);
}

function listSvgWishes({ name, attribs }: Element): Wish[] {
  const href = attribs.href ?? attribs['xlink:href'];
  switch (name) {
    case 'image':
    case 'feImage':
      return image(href, 'image');
    case 'use':
      return describeUse(href ?? '');
    case 'script':
      return describeScript({ ...attribs, src: href ?? '' });
    default:
      return [];
  }
}

function listHtmlWishes(element: Element, display: Display): Wish[] {
  const { name, attribs } = element;
  switch (name) {
    case 'img':
      return image(chooseImage(element, display));
    case 'input':
      return attribs.type?.toLowerCase() === 'image' ? image(attribs.src, 'input') : [];
    case 'video':
      return image(attribs.poster, 'video');
    case 'body':
    case 'table':
    case 'thead':
    case 'tbody':
    case 'tfoot':
    case 'tr':
    case 'td':
    case 'th':
      return image(attribs.background, 'css');
    case 'script':
      return describeScript(attribs);
    case 'link':
      return describeLink(attribs, display);
    case 'iframe':
      if (attribs.srcdoc !== undefined) return [{ kind: 'inner-document', html: attribs.srcdoc }];
      return describeFrame(attribs.src, name);
    case 'frame':
      return describeFrame(attribs.src, name);
    case 'embed':
    case 'object':
      return isFallback(element) ? [] : describeFrame(name === 'embed' ? attribs.src : attribs.data, name);
    default:
      return [];
  }
}

/** In what is shown instead of it. An `object` is taken to come. https://html.spec.whatwg.org/multipage/iframe-embed-object.html#the-object-element */
function isFallback({ parent }: Element): boolean {
  for (let node = parent; node && isTag(node); node = node.parent)
    if (node.name === 'video' || node.name === 'audio' || (node.name === 'object' && node.attribs.data?.trim()))
      return true;
  return false;
}

function describeFrame(address: string | undefined, initiatorType: string): Wish[] {
  return address ? [{ kind: 'frame', address, initiatorType }] : [];
}

/** Of another file; `#name` is in this one. */
function describeUse(address: string): Wish[] {
  return address !== '' && !address.startsWith('#')
    ? [{ kind: 'object', address, type: 'other', urgency: urgencies.ordinary, initiatorType: 'use' }]
    : [];
}

const scriptTypes =
  /^(|module|(text|application)\/(x-)?(java|ecma)script|text\/(javascript1\.[0-5]|jscript|livescript))$/i;

/** It is fetched and never run. */
function describeScript({ src, type = '', async, defer, nomodule }: Record<string, string>): Wish[] {
  const isModule = type.toLowerCase() === 'module';
  if (!src || (nomodule !== undefined && !isModule) || !scriptTypes.test(type.trim())) return [];
  const isBlocking = async === undefined && defer === undefined && !isModule;
  return [
    {
      kind: 'object',
      address: src,
      type: 'script',
      urgency: isBlocking ? urgencies.blocking : urgencies.ordinary,
      initiatorType: 'script',
    },
  ];
}

/** What a `link` element is there for, by its attributes. */
export function describeLink(
  { rel = '', href, media, type = '', disabled, imagesrcset = '', imagesizes, as = '' }: Record<string, string>,
  display: Display,
): Wish[] {
  const relations = rel.toLowerCase().split(/\s+/);
  const matches = matchesMedia(media, display);
  const essence = type.split(';', 1)[0]!.trim();
  if (relations.includes('stylesheet')) {
    // One for other media is fetched too, and its rules do not apply; so it is with an alternative one.
    const isWanted = href && disabled === undefined && /^(|text\/css)$/i.test(essence);
    return isWanted
      ? [{ kind: 'style-sheet', address: href, isApplied: matches && !relations.includes('alternate') }]
      : [];
  }
  if (!matches) return [];
  if (relations.includes('modulepreload')) return href ? [preload(href, 'script')] : [];
  if (!relations.includes('preload')) return [];
  const chosen =
    as.toLowerCase() === 'image' && imagesrcset !== ''
      ? chooseCandidate(readSourceSet(imagesrcset, { sizes: imagesizes, display }), display)
      : href;
  const preloaded = preloadTypes.get(as.toLowerCase());
  const isReadable = essence === '' || preloaded?.isReadable(essence);
  return chosen && preloaded && isReadable ? [preload(chosen, preloaded.type)] : [];
}

/** By `as`: what is fetched, and of which types. https://html.spec.whatwg.org/multipage/links.html#translate-a-preload-destination */
const preloadTypes = new Map<string, { type: ObjectType; isReadable: (type: string) => boolean }>([
  ['image', { type: 'image', isReadable: isReadableImage }],
  ['script', { type: 'script', isReadable: (type) => scriptTypes.test(type) && type.includes('/') }],
  ['style', { type: 'style-sheet', isReadable: (type) => /^text\/css$/i.test(type) }],
  ['font', { type: 'font', isReadable: (type) => /^font\/(woff2?|otf|ttf|sfnt)$/i.test(type) }],
  ['fetch', { type: 'fetch', isReadable: () => true }],
]);

function preload(address: string, type: ObjectType): Wish {
  return {
    kind: 'object',
    address,
    type,
    urgency: type === 'image' ? urgencies.image : urgencies.ordinary,
    initiatorType: 'link',
  };
}

/**
 * The address of the image that an `img` shows on a display, as written; null for none. A `picture` decides by those of its sources
 * that stand before. https://html.spec.whatwg.org/multipage/images.html#update-the-source-set
 */
function chooseImage(image: Element, display: Display): string | null {
  for (const source of findSources(image)) {
    const { srcset, type, media, sizes } = source.attribs;
    if (!srcset || (type && !isReadableImage(type)) || !matchesMedia(media, display)) continue;
    const candidates = readSourceSet(srcset, { sizes, display });
    if (candidates.length > 0) return chooseCandidate(candidates, display);
  }
  const { src = '', srcset = '', sizes } = image.attribs;
  const candidates = readSourceSet(srcset, { sizes, display });
  const hasWidths = /\s\d+w\s*(,|$)/i.test(srcset);
  const needsSource = src.trim() !== '' && !hasWidths && !candidates.some(({ density }) => density === 1);
  return chooseCandidate(needsSource ? [...candidates, { url: src, density: 1 }] : candidates, display);
}

/** So many nodes a picture may have. It has one image: each of several would look at all sources. */
const maximumInPicture = 1000;

function findSources(image: Element): Element[] {
  const { parent } = image;
  if (!parent || !isTag(parent) || parent.name !== 'picture') return [];
  if (parent.children.length > maximumInPicture) return [];
  const elements = parent.children.filter(isTag);
  const before = elements.slice(0, elements.includes(image) ? elements.indexOf(image) : elements.length);
  return before.filter(({ name }) => name === 'source');
}
