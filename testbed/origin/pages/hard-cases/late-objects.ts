import { defineHardCase, imagePath, renderImage } from './hard-case.ts';

/** Images that a script adds shortly after the load event. */
export const lateImages = defineHardCase({
  objects: {
    'late-image': { counts: 'viewport', delayMs: 200, path: imagePath(14) },
    'late-image-below-fold': { counts: 'total', delayMs: 450, path: imagePath(15) },
  },
  render: (urlOf) => ({
    top: `<span id=late></span>${afterLoad(
      50,
      `document.getElementById('late').innerHTML = '${renderImage(urlOf('late-image'))}';
  document.getElementById('late-below').innerHTML = '${renderImage(urlOf('late-image-below-fold'))}';`,
    )}`,
    below: '<span id=late-below></span>',
  }),
});

/** A fetch after the load event that does not count itself, but brings in an image that does. */
export const broughtInImage = defineHardCase({
  objects: {
    'bringing-fetch': { counts: 'none', delayMs: 60, path: '/data/bringing.json' },
    'brought-in-image': { counts: 'viewport', delayMs: 120, path: imagePath(16) },
  },
  render: (urlOf) => ({
    top: `<span id=brought-in></span>${afterLoad(
      0,
      `fetch('${urlOf('bringing-fetch')}').then(() => {
    document.getElementById('brought-in').innerHTML = '${renderImage(urlOf('brought-in-image'))}';
  });`,
    )}`,
  }),
});

/** Fetches before and after the load event: the first counts, the second only delays settling. */
export const fetches = defineHardCase({
  objects: {
    'early-fetch': { counts: 'total', delayMs: 150, path: '/data/early.json' },
    'late-fetch': { counts: 'none', delayMs: 700, path: '/data/late.json' },
  },
  render: (urlOf) => ({
    head: `<script>fetch('${urlOf('early-fetch')}')</script>`,
    top: afterLoad(0, `fetch('${urlOf('late-fetch')}');`),
  }),
});

/** Requests that never cease: a page that has them settles all the same. */
export const endlessRequests = defineHardCase({
  objects: {
    'polling-fetch': { counts: 'none', delayMs: 20, path: '/data/polling.json' },
    'event-source': { counts: 'none', delayMs: 0, path: '/events' },
  },
  render: (urlOf) => ({
    head: `<script>new EventSource('${urlOf('event-source')}')</script>`,
    top: afterLoad(0, `setInterval(() => fetch('${urlOf('polling-fetch')}', { cache: 'no-store' }), 250);`),
  }),
});

function afterLoad(delayMs: number, script: string): string {
  return `<script>addEventListener('load', () => setTimeout(() => {
  ${script}
}, ${delayMs}))</script>`;
}
