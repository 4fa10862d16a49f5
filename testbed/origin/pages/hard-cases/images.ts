import { defineHardCase, imagePath, renderImage } from './hard-case.ts';

/** What every page has: always on the page, with any other requested case. */
export const plainImages = defineHardCase({
  objects: {
    image: { counts: 'viewport', delayMs: 40, path: imagePath(1) },
    'image-below-fold': { counts: 'total', delayMs: 120, path: imagePath(2) },
  },
  render: (urlOf) => ({ top: renderImage(urlOf('image')), below: renderImage(urlOf('image-below-fold')) }),
});

/** A browser asks for the far one only when somebody scrolls there. */
export const lazyImages = defineHardCase({
  objects: {
    'lazy-image': { counts: 'viewport', delayMs: 60, path: imagePath(3) },
    'lazy-image-far-below': { counts: 'total', delayMs: 60, path: imagePath(4) },
  },
  render: (urlOf) => ({
    top: renderImage(urlOf('lazy-image'), 'loading=lazy'),
    below: `<div style="height:20000px"></div>${renderImage(urlOf('lazy-image-far-below'), 'loading=lazy')}`,
  }),
});

/** In the viewport, but not for anybody's eyes. */
export const hiddenImages = defineHardCase({
  objects: {
    'display-none-image': { counts: 'total', delayMs: 140, path: imagePath(5) },
    'visibility-hidden-image': { counts: 'total', delayMs: 140, path: imagePath(6) },
  },
  render: (urlOf) => ({
    top:
      renderImage(urlOf('display-none-image'), 'style="display:none"') +
      renderImage(urlOf('visibility-hidden-image'), 'style="visibility:hidden"'),
  }),
});

/** Images that no `img src` names. */
export const otherImageElements = defineHardCase({
  objects: {
    'picture-image': { counts: 'viewport', delayMs: 70, path: imagePath(7) },
    'picture-fallback': { counts: 'none', delayMs: 70, path: imagePath(8) },
    'svg-image': { counts: 'viewport', delayMs: 80, path: imagePath(9) },
    'video-poster': { counts: 'viewport', delayMs: 90, path: imagePath(10) },
  },
  render: (urlOf) => ({
    top: `<picture><source media="(min-width: 1px)" srcset="${urlOf('picture-image')}">${renderImage(urlOf('picture-fallback'))}</picture>
<svg width=60 height=60><image href="${urlOf('svg-image')}" width=60 height=60 /></svg>
<video poster="${urlOf('video-poster')}" preload=none width=60 height=60></video>`,
  }),
});

/** Images in shadow trees, of which one is closed to the page. */
export const shadowImages = defineHardCase({
  objects: {
    'open-shadow-image': { counts: 'viewport', delayMs: 60, path: imagePath(11) },
    'closed-shadow-image': { counts: 'viewport', delayMs: 100, path: imagePath(12) },
  },
  render: (urlOf) => ({
    top: `<span><template shadowrootmode=open>${renderImage(urlOf('open-shadow-image'))}</template></span>
<span><template shadowrootmode=closed>${renderImage(urlOf('closed-shadow-image'))}</template></span>`,
  }),
});

/** Images that take a detour, or never arrive: these count until their failure. */
export const troubledImages = defineHardCase({
  objects: {
    'redirected-image': { counts: 'viewport', delayMs: 60, path: `/redirect/2/to${imagePath(13)}` },
    'missing-image': { counts: 'viewport', delayMs: 110, path: '/status/404' },
    'broken-image': { counts: 'viewport', delayMs: 120, path: '/broken-image' },
  },
  render: (urlOf) => ({
    top:
      renderImage(urlOf('redirected-image')) + renderImage(urlOf('missing-image')) + renderImage(urlOf('broken-image')),
  }),
});
