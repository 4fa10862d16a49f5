import { page } from './page-natives.ts';
import type { FrameStatus } from './probe.ts';

export function readStatus(): FrameStatus {
  return {
    pendingImageCount: page.images.filter(isPending).length,
    isLoadingFonts: page.fonts.status === 'loading',
  };
}

/** A lazy image far from the viewport is never asked for: it is not waited for either. */
function isPending(image: HTMLImageElement): boolean {
  return !image.complete && image.loading !== 'lazy';
}
