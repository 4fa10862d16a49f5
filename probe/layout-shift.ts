/** Newer than the types that TypeScript knows. https://wicg.github.io/layout-instability/#sec-layout-shift */
export interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}
