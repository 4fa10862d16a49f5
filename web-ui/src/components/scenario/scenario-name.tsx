import { ScenarioMarker } from './scenario-marker.tsx';
import type { ScenarioStyle } from './scenario-style.ts';
import classes from './scenario-name.module.css';

interface ScenarioNameProps {
  name: string;
  style: ScenarioStyle | undefined;
  isBaseline?: boolean;
}

/** A Scenario's name after the marker that stands for it in every table and chart. */
export function ScenarioName({ name, style, isBaseline = false }: ScenarioNameProps) {
  return (
    <span className={classes.scenario}>
      <ScenarioMarker style={style} />
      <span className={classes.name}>{name}</span>
      {isBaseline && <span className={classes.baseline}>baseline</span>}
    </span>
  );
}
