import type { ChartConfiguration } from 'chart.js';
import type { FigureTable } from '../../export/figure-table.ts';
import type { ChartInks } from '../chart-inks.ts';

/** What can be drawn, taken away as a picture, and read as a table. */
export interface Figure {
  /** Its title, and what a screen reader calls it. */
  title: string;
  /** Of downloaded files, without their ending. */
  fileName: string;
  /** The same figures as the chart shows, one row each. */
  table: FigureTable;
  /** False where no interval is drawn, as of a distribution. */
  hasIntervals?: boolean;
  /** What its numbers rest on, as a caption begins to say it, where that is not the whole Run. */
  restsOn?: string;
  /** How much higher than others it is saved; 1 where it is not given. */
  stretch?: number;
  describe: (inks: ChartInks) => ChartConfiguration;
}
