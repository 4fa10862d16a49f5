import { readCssUrls } from './network-url.ts';

const imageProperties = ['backgroundImage', 'maskImage', 'borderImageSource', 'content'] as const;

/** The images that style gives an element and what is generated before and after it. */
export function findCssImageUrls(element: Element): string[] {
  const urls = [null, '::before', '::after'].flatMap((pseudoElement) => {
    const style = getComputedStyle(element, pseudoElement);
    // A pseudo-element without content is not generated, even if it has a style.
    if (pseudoElement && (style.content === 'none' || style.content === 'normal' || style.display === 'none'))
      return [];
    const values = imageProperties.map((property) => style[property]);
    // Inherited by every element, drawn by list items only.
    if (style.display.includes('list-item')) values.push(style.listStyleImage);
    return values.filter((value) => value.includes('url(')).flatMap((value) => readCssUrls(value));
  });
  return [...new Set(urls)];
}
