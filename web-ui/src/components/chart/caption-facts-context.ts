import { createContext } from 'react';
import type { CaptionFacts } from '#web-ui/src/figures/write-caption.ts';

/** Of the Run whose figures are shown inside; null where they are of none, or of several. */
export const CaptionFactsContext = createContext<CaptionFacts | null>(null);
