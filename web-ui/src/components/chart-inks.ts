import { darkenScheme } from './scenario/series-colours.ts';

export interface ChartInks {
  text: string;
  line: string;
  /** Behind everything. */
  paper: string;
  /** A stretch that is set apart, such as the margin of equivalence. */
  band: string;
  /** The colour of a series in this scheme, from its colour on white. */
  shade: (colour: string) => string;
}

/** What axes and lines of charts are drawn in. A canvas knows no CSS variables. */
export const chartInks: Record<'light' | 'dark', ChartInks> = {
  light: { text: '#3d434c', line: '#e4e5ea', paper: '#ffffff', band: '#f0f0f3', shade: (colour) => colour },
  dark: { text: '#b8bcc4', line: '#33373f', paper: '#191b1f', band: '#262a31', shade: darkenScheme },
};
