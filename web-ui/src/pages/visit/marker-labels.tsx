import { useElementSize } from '@mantine/hooks';
import { ScenarioMarker } from '../../components/scenario/scenario-marker.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { placeMarkers } from './place-markers.ts';
import type { TimeScale } from './time-lane.tsx';
import classes from './waterfall.module.css';

/** A Visit whose moments are lines through the lanes. */
export interface TimedVisit {
  scale: TimeScale;
  /** Of its Scenario, where there are several. */
  style?: ScenarioStyle | undefined;
}

const rowPx = 14;

/** The names of a Visit's moments, over their lines. The legend has their times. */
export function MarkerLabels({ scale: { endMs, markers }, style }: TimedVisit) {
  const { ref, width: widthPx } = useElementSize();
  const placed = widthPx === 0 ? [] : placeMarkers(markers, { endMs, widthPx });
  const rows = 1 + Math.max(0, ...placed.map(({ row }) => row));
  return (
    <div ref={ref} className={classes.markers} style={{ height: rows * rowPx }} aria-hidden="true">
      {style && (
        <span className={classes.whose}>
          <ScenarioMarker style={style} />
        </span>
      )}
      {placed.map(({ text, leftPx, row }) => (
        <span key={text} className={classes.markerLabel} style={{ left: leftPx, top: row * rowPx }}>
          {text}
        </span>
      ))}
    </div>
  );
}
