import type { FrameStatus } from './probe.ts';

export function readStatus(): FrameStatus {
  return {
    pendingImageCount: Array.from(document.images).filter(isPending).length,
    isLoadingFonts: document.fonts.status === 'loading',
  };
}

/** A lazy image far from the viewport is never asked for: it is not waited for either. */
function isPending(image: HTMLImageElement): boolean {
  return !image.complete && image.loading !== 'lazy';
}
