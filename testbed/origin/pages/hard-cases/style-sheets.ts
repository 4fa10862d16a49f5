import { defineHardCase, imagePath } from './hard-case.ts';

const css = 'text/css; charset=utf-8';

export const cssBackgrounds = defineHardCase({
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

export const webFont = defineHardCase({
  objects: { 'web-font': { counts: 'viewport', delayMs: 130, path: '/font.ttf' } },
  render: (urlOf) => ({
    head: `<style>@font-face { font-family: "Case Font"; src: url("${urlOf('web-font')}") } .web-font { font-family: "Case Font" }</style>`,
    top: '<span class=web-font>Text</span>',
  }),
});

/** Another origin's style sheet without CORS: Resource Timing reports nothing of what it brings in. */
export const opaqueStyleSheet = defineHardCase({
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
export const opaqueImport = defineHardCase({
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
export const blockingStyleSheet = defineHardCase({
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
