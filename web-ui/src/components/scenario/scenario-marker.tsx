import type { MarkerShape, ScenarioStyle } from './scenario-style.ts';
import { cssColour } from './series-colours.ts';
import classes from './scenario-name.module.css';

const outlines: Record<MarkerShape, string> = {
  circle: 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z',
  rect: 'M2 2h8v8H2z',
  triangle: 'M6 1.2 11 10H1z',
  rectRot: 'M6 .8 11.2 6 6 11.2.8 6z',
  triangleDown: 'M6 10.8 1 2h10z',
  crossRot: 'M2 2l8 8M10 2l-8 8',
  star: 'M6 1v10M1 6h10M2.5 2.5l7 7M9.5 2.5l-7 7',
};

const isLine = (shape: MarkerShape) => shape === 'crossRot' || shape === 'star';

/** The mark of a Scenario, drawn as the charts draw it. */
export function ScenarioMarker({ style }: { style: ScenarioStyle | undefined }) {
  if (!style) return null;
  const { colour, shape } = style;
  return (
    <svg
      className={classes.marker}
      viewBox="0 0 12 12"
      aria-hidden="true"
      fill={cssColour(colour)}
      stroke={cssColour(colour)}
      strokeWidth={isLine(shape) ? 2 : 0}
    >
      <path d={outlines[shape]} />
    </svg>
  );
}
