import {
  type HardCase,
  type HardDocument,
  type HardObject,
  defineHardCase,
  imagePath,
  renderImage,
} from './hard-case.ts';
import { hiddenImages, lazyImages, otherImageElements, plainImages, shadowImages, troubledImages } from './images.ts';
import { noIcon } from '../render-page.ts';

const css = 'text/css; charset=utf-8';

const cssBackgrounds = defineHardCase({
  objects: {
    'css-background': { counts: 'viewport', delayMs: 80, path: imagePath(17) },
    'css-background-before': { counts: 'viewport', delayMs: 100, path: imagePath(18) },
    'css-background-below-fold': { counts: 'total', delayMs: 160, path: imagePath(19) },
  },
  render: (urlOf) => ({
    head: `<style>
.background { background: url("${urlOf('css-background')}") }
.before::before { content: ""; display: inline-block; width: 60px; height: 60px; background: url("${urlOf('css-background-before')}") }
.background-below { background: url("${urlOf('css-background-below-fold')}") }
</style>`,
    top: '<span class="box background"></span><span class=before></span>',
    below: '<span class="box background-below"></span>',
  }),
});

const webFont = defineHardCase({
  objects: { 'web-font': { counts: 'viewport', delayMs: 130, path: '/font.ttf' } },
  render: (urlOf) => ({
    head: `<style>@font-face { font-family: "Case Font"; src: url("${urlOf('web-font')}") } .web-font { font-family: "Case Font" }</style>`,
    top: '<span class=web-font>Text</span>',
  }),
});

/** Another origin's style sheet without CORS: Resource Timing reports nothing of what it brings in. */
const opaqueStyleSheet = defineHardCase({
  objects: {
    'opaque-style-sheet': { counts: 'viewport', delayMs: 50, isForeign: true },
    'opaque-font': { counts: 'viewport', delayMs: 140, path: '/font.ttf' },
    'opaque-background': { counts: 'viewport', delayMs: 150, path: imagePath(20) },
    'opaque-background-below-fold': { counts: 'total', delayMs: 170, path: imagePath(21) },
  },
  documents: {
    'opaque-style-sheet': {
      type: css,
      render: (urlOf) => `@font-face { font-family: "Opaque Font"; src: url("${urlOf('opaque-font')}") }
.opaque-font { font-family: "Opaque Font" }
.opaque-background { background: url("${urlOf('opaque-background')}") }
.opaque-background-below { background: url("${urlOf('opaque-background-below-fold')}") }`,
    },
  },
  render: (urlOf) => ({
    head: `<link rel=stylesheet href="${urlOf('opaque-style-sheet')}">`,
    top: '<span class=opaque-font>Text</span><span class="box opaque-background"></span>',
    below: '<span class="box opaque-background-below"></span>',
  }),
});

/** Another origin’s style sheet that imports one of the page’s origin. An extension of Chrome learns only the origin of what requested that. */
const opaqueImport = defineHardCase({
  objects: {
    'opaque-importing-style-sheet': { counts: 'viewport', delayMs: 45, isForeign: true },
    'opaque-imported-style-sheet': { counts: 'viewport', delayMs: 45, path: '/style.css' },
  },
  documents: {
    'opaque-importing-style-sheet': {
      type: css,
      render: (urlOf) => `@import url("${urlOf('opaque-imported-style-sheet')}");`,
    },
  },
  render: (urlOf) => ({ head: `<link rel=stylesheet href="${urlOf('opaque-importing-style-sheet')}">` }),
});

/** A style sheet that blocks rendering, and another that it imports. */
const blockingStyleSheet = defineHardCase({
  objects: {
    'blocking-style-sheet': { counts: 'viewport', delayMs: 40 },
    'imported-style-sheet': { counts: 'viewport', delayMs: 40, path: '/style.css' },
  },
  documents: {
    'blocking-style-sheet': {
      type: css,
      render: (urlOf) => `@import url("${urlOf('imported-style-sheet')}"); body { color: #222 }`,
    },
  },
  render: (urlOf) => ({ head: `<link rel=stylesheet href="${urlOf('blocking-style-sheet')}">` }),
});

const html = 'text/html; charset=utf-8';

const sameOriginFrame = defineHardCase({
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
const crossSiteFrame = defineHardCase({
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
const frameBelowFold = defineHardCase({
  objects: {
    'frame-below-fold': { counts: 'total', delayMs: 60 },
    'frame-below-fold-image': { counts: 'total', delayMs: 140, path: imagePath(27) },
  },
  documents: {
    'frame-below-fold': { type: html, render: (urlOf) => renderFrame(urlOf('frame-below-fold-image')) },
  },
  render: (urlOf) => ({ below: frameTag(urlOf('frame-below-fold')) }),
});

const redirectedFrame = defineHardCase({
  objects: {
    'redirected-frame': { counts: 'viewport', delayMs: 40, path: '/redirect/1/to/hard-cases/redirected-frame' },
    'redirected-frame-image': { counts: 'viewport', delayMs: 110, path: imagePath(28) },
  },
  documents: {
    'redirected-frame': { type: html, render: (urlOf) => renderFrame(urlOf('redirected-frame-image')) },
  },
  render: (urlOf) => ({ top: frameTag(urlOf('redirected-frame')) }),
});

/** Images that a script adds shortly after the load event. */
const lateImages = defineHardCase({
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
const broughtInImage = defineHardCase({
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
const fetches = defineHardCase({
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
const endlessRequests = defineHardCase({
  objects: {
    'polling-fetch': { counts: 'none', delayMs: 20, path: '/data/polling.json' },
    'event-source': { counts: 'none', delayMs: 0, path: '/events' },
  },
  render: (urlOf) => ({
    head: `<script>new EventSource('${urlOf('event-source')}')</script>`,
    top: afterLoad(0, `setInterval(() => fetch('${urlOf('polling-fetch')}', { cache: 'no-store' }), 250);`),
  }),
});

/** Of the scripts only the blocking one keeps the viewport waiting. */
const headScripts = defineHardCase({
  objects: {
    'blocking-script': { counts: 'viewport', delayMs: 50, path: '/script.js' },
    'async-script': { counts: 'total', delayMs: 180, path: '/script.js' },
  },
  render: (urlOf) => ({
    head: `<script async src="${urlOf('async-script')}"></script><script src="${urlOf('blocking-script')}"></script>`,
  }),
});

const bodyEndScript = defineHardCase({
  objects: { 'body-end-script': { counts: 'total', delayMs: 100, path: '/script.js' } },
  render: (urlOf) => ({ below: `<script src="${urlOf('body-end-script')}"></script>` }),
});

/** A preload that nothing uses counts, a prefetch for the next page does not. */
const hints = defineHardCase({
  objects: {
    'unused-preload': { counts: 'total', delayMs: 190, path: imagePath(22) },
    prefetch: { counts: 'none', delayMs: 1800, path: '/data/prefetch.json' },
  },
  render: (urlOf) => ({
    head: `<link rel=preload as=image href="${urlOf('unused-preload')}"><link rel=prefetch href="${urlOf('prefetch')}">`,
  }),
});

/** Every hard case, in the order of the page; what begins first comes first in the head, the script of the body's end last. */
export const allHardCases: HardCase[] = [
  plainImages,
  fetches,
  endlessRequests,
  hints,
  headScripts,
  blockingStyleSheet,
  opaqueStyleSheet,
  opaqueImport,
  cssBackgrounds,
  webFont,
  otherImageElements,
  shadowImages,
  hiddenImages,
  troubledImages,
  sameOriginFrame,
  crossSiteFrame,
  redirectedFrame,
  lateImages,
  broughtInImage,
  lazyImages,
  frameBelowFold,
  bodyEndScript,
];

/** Every object of the page by its name. */
export const hardObjects: ReadonlyMap<string, HardObject> = new Map(
  allHardCases.flatMap(({ objects }) => Object.entries(objects)),
);

/** The frames and style sheets among them. */
export const hardDocuments: ReadonlyMap<string, HardDocument<string>> = new Map(
  allHardCases
    .flatMap(({ documents = {} }) => Object.entries(documents))
    .flatMap(([name, document]) => (document ? [[name, document]] : [])),
);

function afterLoad(delayMs: number, script: string): string {
  return `<script>addEventListener('load', () => setTimeout(() => {
  ${script}
}, ${delayMs}))</script>`;
}

function frameTag(url: string): string {
  return `<iframe src="${url}" width=100 height=80></iframe>`;
}

/** One image above the frame's fold, the other below it. */
function renderFrame(above: string, below?: string): string {
  const lower = below === undefined ? '' : `<div style="height:400px"></div>${renderImage(below)}`;
  return `<!doctype html><html lang=en><head><title>Frame</title>${noIcon}</head><body>${renderImage(above)}${lower}</body></html>`;
}
