import { formatMs } from './format-ms.ts';

/** `2.3 ms ± 0.4 ms`; without the bound of its error where that is not known. */
export function formatSkew({ skewMs, errorMs }: { skewMs: number; errorMs: number | null }): string {
  return errorMs === null ? formatMs(skewMs) : `${formatMs(skewMs)} ± ${formatMs(errorMs)}`;
}
