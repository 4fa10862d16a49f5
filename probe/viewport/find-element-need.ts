import type { ViewportNeed } from '#core/metrics/snapshot.ts';
import { findFrameIndex } from '../frame-path.ts';
import type { ElementEvent } from '../observe-element-events.ts';
import { attributeOf, contentWindowOf, localNameOf } from '../page-natives.ts';
import { shortenUrl } from '../shorten-url.ts';
import { readNetworkUrl } from './network-url.ts';

/** The object that an element shows by its own markup, if it shows one. */
export function findElementNeed(
  element: Element,
  seen: { areaPx: number; event: ElementEvent | null },
): ViewportNeed[] {
  const need = describe(element);
  if (!need) return [];
  const url = readNetworkUrl(need.address);
  // A frame is needed with any address: what a document without one (`srcdoc`) loads counts as well.
  if (url === null && need.kind !== 'frame') return [];
  return [
    {
      kind: need.kind,
      url: shortenUrl(url ?? need.address),
      areaPx: seen.areaPx,
      elementEventMs: seen.event?.atMs ?? null,
      failed: seen.event?.failed ?? false,
      pending: element instanceof HTMLImageElement && !element.complete,
      frameIndex: readFrameIndex(element),
    },
  ];
}

function describe(element: Element): { kind: ViewportNeed['kind']; address: string } | null {
  if (element instanceof HTMLImageElement) return { kind: 'image', address: element.currentSrc || element.src };
  if (element instanceof HTMLInputElement && element.type === 'image') return { kind: 'image', address: element.src };
  if (element instanceof SVGImageElement) return { kind: 'svg-image', address: element.href.baseVal };
  if (element instanceof HTMLVideoElement) return { kind: 'poster', address: element.poster };
  if (element instanceof HTMLIFrameElement) return { kind: 'frame', address: element.src };
  if (localNameOf(element) === 'frame') return { kind: 'frame', address: attributeOf(element, 'src') ?? '' };
  if (element instanceof HTMLObjectElement)
    return { kind: contentWindowOf(element) ? 'frame' : 'embedded', address: element.data };
  if (element instanceof HTMLEmbedElement) return { kind: 'embedded', address: element.src };
  return null;
}

function readFrameIndex(element: Element): number | null {
  const content = contentWindowOf(element);
  return content && findFrameIndex(content, window);
}
