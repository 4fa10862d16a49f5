/** The chart's height in CSS pixels; the space is kept while its code is on the way. */
export const chartHeightPx = 380;
