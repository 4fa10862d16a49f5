import type { HardCase, HardDocument, HardObject } from './hard-case.ts';
import { crossSiteFrame, frameBelowFold, redirectedFrame, sameOriginFrame } from './frames.ts';
import { hiddenImages, lazyImages, otherImageElements, plainImages, shadowImages, troubledImages } from './images.ts';
import { broughtInImage, endlessRequests, fetches, lateImages } from './late-objects.ts';
import { bodyEndScript, headScripts, hints } from './scripts.ts';
import { blockingStyleSheet, cssBackgrounds, opaqueImport, opaqueStyleSheet, webFont } from './style-sheets.ts';

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
