import { defineHardCase, imagePath } from './hard-case.ts';

/** Of the scripts only the blocking one keeps the viewport waiting. */
export const headScripts = defineHardCase({
  objects: {
    'blocking-script': { counts: 'viewport', delayMs: 50, path: '/script.js' },
    'async-script': { counts: 'total', delayMs: 180, path: '/script.js' },
  },
  render: (urlOf) => ({
    head: `<script async src="${urlOf('async-script')}"></script><script src="${urlOf('blocking-script')}"></script>`,
  }),
});

export const bodyEndScript = defineHardCase({
  objects: { 'body-end-script': { counts: 'total', delayMs: 100, path: '/script.js' } },
  render: (urlOf) => ({ below: `<script src="${urlOf('body-end-script')}"></script>` }),
});

/** A preload that nothing uses counts, a prefetch for the next page does not. */
export const hints = defineHardCase({
  objects: {
    'unused-preload': { counts: 'total', delayMs: 190, path: imagePath(22) },
    prefetch: { counts: 'none', delayMs: 1800, path: '/data/prefetch.json' },
  },
  render: (urlOf) => ({
    head: `<link rel=preload as=image href="${urlOf('unused-preload')}"><link rel=prefetch href="${urlOf('prefetch')}">`,
  }),
});
