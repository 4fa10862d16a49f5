import type { FrameSnapshot, ViewportNeed } from '#core/metrics/snapshot.ts';
import type { Observations } from '../observe-frame.ts';
import { isDrawn } from '../page-natives.ts';
import { collectFontFaces } from './collect-font-faces.ts';
import { findBlockingNeeds } from './find-blocking-needs.ts';
import { findCssImageUrls } from './find-css-image-urls.ts';
import { findElementNeed } from './find-element-need.ts';
import { findElements } from './find-elements.ts';
import { findUsedFonts } from './find-used-fonts.ts';
import { measureVisibleAreas } from './measure-visible-areas.ts';

type ViewportParts = Pick<
  FrameSnapshot,
  'viewportNeeds' | 'opaqueStyleSheets' | 'undeclaredFontFamilies' | 'declaredFontUrls'
>;

/** What this frame's part of the initial viewport needs, as it stands now. */
export async function findViewportNeeds(observations: Observations): Promise<ViewportParts> {
  const { faces, opaqueStyleSheets } = collectFontFaces(observations.styleSheetTexts);
  const declaredFontUrls = [...new Set(faces.flatMap((face) => face.urls))];
  const areas = await measureVisibleAreas(findElements(observations.closedShadowRoots));
  if (!areas) return { viewportNeeds: null, opaqueStyleSheets, undeclaredFontFamilies: [], declaredFontUrls };

  const shown = [...areas].filter(([element]) => isShown(element));
  const fonts = findUsedFonts(
    shown.map(([element]) => element),
    faces,
  );
  return {
    viewportNeeds: [
      ...shown.flatMap(([element, areaPx]) => [
        ...findElementNeed(element, { areaPx, event: observations.elementEvents.of(element) }),
        ...findCssImageUrls(element).map((url) => needOf('css-image', url, areaPx)),
      ]),
      ...fonts.urls.map((url) => needOf('font', url, null)),
      ...findBlockingNeeds(observations.resources.read()).map(({ kind, url }) => needOf(kind, url, null)),
    ],
    opaqueStyleSheets,
    undeclaredFontFamilies: fonts.undeclaredFamilies,
    declaredFontUrls,
  };
}

function isShown(element: Element): boolean {
  return isDrawn(element, { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
}

function needOf(kind: ViewportNeed['kind'], url: string, areaPx: number | null): ViewportNeed {
  return { kind, url, areaPx, elementEventMs: null, failed: false, pending: false, frameIndex: null };
}
