declare module 'svgcanvas' {
  /** A canvas whose two-dimensional context writes SVG elements. */
  export class Element {
    constructor(options?: { width?: number; height?: number });
    readonly svg: SVGSVGElement;
  }
}
