import type { Display } from '#core/page-objects/display.ts';
import { findHeader, type HeaderList } from '../../exchange/header-list.ts';

/** The display that a browser says it has, by client hints; else the usual one. */
export function readDisplay(headers: HeaderList, usual: Display): Display {
  const read = (name: string, bounds: { min: number; max: number }): number | null => {
    const value = Number(findHeader(headers, `sec-ch-${name}`) ?? NaN);
    return value >= bounds.min && value <= bounds.max ? value : null;
  };
  return {
    widthPx: read('viewport-width', { min: 1, max: 20_000 }) ?? usual.widthPx,
    heightPx: read('viewport-height', { min: 1, max: 20_000 }) ?? usual.heightPx,
    scaleRatio: read('dpr', { min: 0.1, max: 10 }) ?? usual.scaleRatio,
  };
}
