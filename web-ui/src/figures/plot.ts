import type { Plugin } from 'chart.js';
import type { ChartInks } from '../components/chart-inks.ts';
import type { MarkerShape } from '../components/scenario/scenario-style.ts';

/** A chart as data: axes, and layers of marks on them. `describe-plot.ts` draws it. Colours are those on white, which a dark page shades. */
export interface Plot {
  x: PlotAxis;
  y: PlotAxis;
  /** The vertical axis of the layers below the others, over the same x. */
  below?: NumberAxis;
  /** In the order of the legend. The first is drawn in front. */
  layers: PlotLayer[];
  /** What is drawn beside the layers, such as a band. */
  overlays?: (inks: ChartInks) => Plugin[];
  /** Room for them beside the axes, by their id. */
  overlayAxes?: Record<string, object>;
  /** How far marks reach beyond the axes, in pixels; false: as far as they are. */
  clip?: number | false;
  /** Which marks are read where the pointer is: the nearest one, or all at that time. Without: the one below it. */
  reads?: 'nearest' | 'time';
}

export type PlotAxis = PlaceAxis | CategoryAxis | NumberAxis | TimeAxis;

/** Places 1, 2, 3 … with a name each, so that marks of several series can stand side by side in one. */
export interface PlaceAxis {
  kind: 'places';
  title?: string;
  names: string[];
  /** Indices of names in bold. */
  headings?: ReadonlySet<number>;
  /** From the top. */
  isReversed?: boolean;
}

/** One place for each bar or box. */
export interface CategoryAxis {
  kind: 'categories';
  names: string[];
  /** Marks know their place by its number: two names may be the same. */
  isNumbered?: boolean;
  /** Of the places in their order, each of so many. Their names are below those of the places. */
  groups?: { name: string; count: number }[];
  isStacked?: boolean;
  fontPx?: number;
  widthPx?: number;
}

export interface NumberAxis {
  kind: 'numbers';
  /** Without the unit. */
  title: string;
  /** In which its values are kept. Its numbers are written in one that keeps them short, which ends the title. */
  unit?: 'ms' | 'bytes';
  isLogarithmic?: boolean;
  /** From the greatest on. */
  isReversed?: boolean;
  /** Of its ticks. Without, they have the decimals that distinguish them. */
  format?: (value: number) => string;
  startsAtZero?: boolean;
  /** As a difference can, and a latency or a share cannot. */
  canBeNegative?: boolean;
  /** Where its grid is as dark as text: what marks are compared with. */
  strongAt?: number;
  hasGrid?: boolean;
  /** Where its ticks are: what was measured. Those too near to another are left out. Without, at round numbers. */
  ticksAt?: readonly number[] | undefined;
  /** Whether its ends have a number, round or not. */
  hasEnds?: boolean;
  isStacked?: boolean;
  widthPx?: number;
  limits?: { min?: number; max?: number; suggestedMin?: number; suggestedMax?: number; grace?: string };
}

/** A tick for some days, or for some minutes where all times are of one or two days. */
export interface TimeAxis {
  kind: 'times';
  epochMs: readonly number[];
}

/** What is written at the pointer: the text, below the title. Without a text, nothing is. */
export interface MarkWords {
  text?: string;
  title?: string;
}

/** With its interval, where it has one. Of a bar without a value y is null or NaN. */
export interface PlotMark extends MarkWords {
  x: number | string;
  y: number | null;
  xMin?: number;
  xMax?: number;
  yMin?: number | null;
  yMax?: number | null;
  /** What a click on it does. */
  open?: () => void;
}

/** One that differs from the others of its series may be hollow. */
export interface PointMark extends PlotMark {
  isHollow?: boolean;
  /** Of those that are joined: the line starts here. */
  startsLine?: boolean;
}

export interface MarkLook {
  colour: string;
  shape: MarkerShape;
}

interface LayerBase {
  /** In the legend of a saved figure. */
  label: string;
  /** Before the text of each mark; its label where it is not given. */
  name?: string;
  isBelow?: boolean;
}

export interface PointLayer extends LayerBase {
  kind: 'points';
  look: MarkLook;
  marks: PointMark[];
  isJoined?: boolean;
  /** False: its intervals alone are drawn. */
  hasMarks?: boolean;
  /** Of its line, and of the edges of its marks; 2 where it is not given. */
  linePx?: number;
  isInFront?: boolean;
}

export interface LineLayer extends LayerBase {
  kind: 'line';
  /** Null: as text. */
  colour: string | null;
  opacity?: number;
  widthPx: number;
  dash: number[];
  pointPx?: number;
  /** What it is stacked with, where others are stacked. */
  stack?: string;
  marks: PlotMark[];
}

/** A distribution. */
interface StepLayer extends LayerBase {
  kind: 'steps';
  look: MarkLook;
  /** Of all marks, or of each. */
  pointPx: number | number[];
  marks: PlotMark[];
}

/** On top of those before. */
interface AreaLayer extends LayerBase {
  kind: 'area';
  colour: string;
  marks: PlotMark[];
}

export interface BarLayer extends LayerBase {
  kind: 'bars';
  /** Of all, or of each. */
  colours: string | string[];
  /** Where they begin; 0 where it is not given. */
  base?: number;
  mostPx: number;
  marks: PlotMark[];
}

/** Of a whole, beside each other in a bar for each category. */
interface PartLayer extends LayerBase {
  kind: 'parts';
  colour: string;
  parts: ({ value: number | null } & MarkWords)[];
}

/** From one number to another, at most one for each category; null where it has none. */
interface StretchLayer extends LayerBase {
  kind: 'stretches';
  colour: string;
  stretches: (({ from: number; to: number } & MarkWords) | null)[];
}

interface BoxLayer extends LayerBase {
  kind: 'boxes';
  boxes: { colour: string; min: number; q1: number; median: number; q3: number; max: number; values: number[] }[];
}

/** Nothing by itself: an overlay fills them. */
interface CellLayer extends LayerBase {
  kind: 'cells';
  marks: PlotMark[];
}

export type PlotLayer =
  | PointLayer
  | LineLayer
  | StepLayer
  | AreaLayer
  | BarLayer
  | PartLayer
  | StretchLayer
  | BoxLayer
  | CellLayer;
