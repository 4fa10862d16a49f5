import type { StudyPage } from './pages-by-block.ts';

/** The slope of the least-squares line through the pages of each Block, by index of the Block; NaN with fewer than two values of the variable. */
export function slopeByBlock(pages: readonly StudyPage[], variable: string): Float64Array {
  const blocks = pages[0]?.byBlock.length ?? 0;
  return Float64Array.from({ length: blocks }, (_, block) => {
    const points = pages.flatMap(({ variables, byBlock }) => {
      const [x, y] = [variables[variable], byBlock[block]!];
      return x === undefined || Number.isNaN(y) ? [] : [{ x, y }];
    });
    return slopeOf(points);
  });
}

/** Σ(x − x̄)(y − ȳ) / Σ(x − x̄)². */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return spread > 0 ? points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread : NaN;
}
