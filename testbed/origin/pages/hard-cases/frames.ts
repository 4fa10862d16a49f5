import { noIcon } from '../render-page.ts';
import { defineHardCase, imagePath, renderImage } from './hard-case.ts';

const html = 'text/html; charset=utf-8';

export const sameOriginFrame = defineHardCase({
  objects: {
    'same-origin-frame': { counts: 'viewport', delayMs: 40 },
    'same-origin-frame-image': { counts: 'viewport', delayMs: 100, path: imagePath(23) },
    'same-origin-frame-image-below-fold': { counts: 'total', delayMs: 150, path: imagePath(24) },
  },
  documents: {
    'same-origin-frame': {
      type: html,
      render: (urlOf) => renderFrame(urlOf('same-origin-frame-image'), urlOf('same-origin-frame-image-below-fold')),
    },
  },
  render: (urlOf) => ({ top: frameTag(urlOf('same-origin-frame')) }),
});

/** Another site's frame, which browsers keep in a process of its own. */
export const crossSiteFrame = defineHardCase({
  objects: {
    'cross-site-frame': { counts: 'viewport', delayMs: 40, isForeign: true },
    'cross-site-frame-image': { counts: 'viewport', delayMs: 120, path: imagePath(25) },
    'cross-site-frame-image-below-fold': { counts: 'total', delayMs: 170, path: imagePath(26) },
  },
  documents: {
    'cross-site-frame': {
      type: html,
      render: (urlOf) => renderFrame(urlOf('cross-site-frame-image'), urlOf('cross-site-frame-image-below-fold')),
    },
  },
  render: (urlOf) => ({ top: frameTag(urlOf('cross-site-frame')) }),
});

/** A frame below the fold: what is above the frame's own fold is below the page's. */
export const frameBelowFold = defineHardCase({
  objects: {
    'frame-below-fold': { counts: 'total', delayMs: 60 },
    'frame-below-fold-image': { counts: 'total', delayMs: 140, path: imagePath(27) },
  },
  documents: {
    'frame-below-fold': { type: html, render: (urlOf) => renderFrame(urlOf('frame-below-fold-image')) },
  },
  render: (urlOf) => ({ below: frameTag(urlOf('frame-below-fold')) }),
});

export const redirectedFrame = defineHardCase({
  objects: {
    'redirected-frame': { counts: 'viewport', delayMs: 40, path: '/redirect/1/to/hard-cases/redirected-frame' },
    'redirected-frame-image': { counts: 'viewport', delayMs: 110, path: imagePath(28) },
  },
  documents: {
    'redirected-frame': { type: html, render: (urlOf) => renderFrame(urlOf('redirected-frame-image')) },
  },
  render: (urlOf) => ({ top: frameTag(urlOf('redirected-frame')) }),
});

function frameTag(url: string): string {
  return `<iframe src="${url}" width=100 height=80></iframe>`;
}

/** One image above the frame's fold, the other below it. */
function renderFrame(above: string, below?: string): string {
  const lower = below === undefined ? '' : `<div style="height:400px"></div>${renderImage(below)}`;
  return `<!doctype html><html lang=en><head><title>Frame</title>${noIcon}</head><body>${renderImage(above)}${lower}</body></html>`;
}
