/** The display that a page is loaded for: what media queries and the choice of images go by, although nothing is drawn. */
export interface Display {
  widthPx: number;
  heightPx: number;
  /** Device pixels for one CSS pixel. */
  scaleRatio: number;
}
