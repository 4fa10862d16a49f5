import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import type { ReportData } from '#core/comparison/report-file.ts';
import type { FigureChoice } from '#core/evaluation/figures/figure-choice.ts';
import type { Measurements } from '#core/record/measurements.ts';
import type { StudyFigureDefinition } from '#core/study/study-definition.ts';
import { arrangeWithReduction } from '#web-ui/src/figures/arrange-figure.ts';
import type { ArrangedFigure, FigureSeries } from '#web-ui/src/figures/arranged-figure.ts';
import { completeChoice, firstChoices } from '#web-ui/src/figures/complete-choice.ts';
import { drawSvg } from '../components/chart/draw-figure.ts';
import type { Figure } from '../components/chart/figure.ts';
import { colourUsers } from '../components/scenario/series-colours.ts';
import { formatCsv } from '../export/figure-table.ts';
import { nameFile } from '../export/save-file.ts';
import { drawArranged } from '../figures/draw-arranged.ts';
import { connectionFigure, hasWays, roundThroughputFigure } from '../pages/comparison/figures/round-figures.ts';
import { gatherCaptionFacts, writeCaption } from '../figures/write-caption.ts';

declare global {
  /** For a program that opens a saved report in a browser. */
  var httpAeFigures: FigureOffer | undefined;
}

interface FigureOffer {
  /** What the figures of this report are made of; null where its Run has too few Visits for any. */
  measurements: Measurements | null;
  /** The figures with which the report opens, as files. */
  ofReport: () => Promise<OfferedFigure[]>;
  /** A figure of other measurements, with points of papers beside. */
  draw: (drawn: StudyFigure) => Promise<OfferedFigure[]>;
  /** The rate both ways of one load, and the activity of its connections. */
  drawLoad: (load: DrawnLoad) => Promise<OfferedFigure[]>;
}

interface OfferedFigure {
  /** Of a file, without its ending. */
  name: string;
  title: string;
  svg: string;
  csv: string;
  /** For a paper, as plain text: what it shows, n, the link, the browser and the method. Of a figure of other measurements, the program has it. */
  caption?: string;
}

interface StudyFigure {
  measurements: Measurements;
  choice: FigureChoice;
  paper: StudyFigureDefinition['paper'];
}

/** Its packets are those of the load alone. */
interface DrawnLoad {
  title: string;
  userAgent: string;
  capture: { statistics: CaptureStatistics; clockOffsetMs: number };
  /** Of the emulated link; null where it is not one number. */
  forwardKbps: number | null;
  returnKbps: number | null;
}

export function offerFigures({ comparison, method, measurements }: ReportData): void {
  const facts = gatherCaptionFacts(comparison, method);
  globalThis.httpAeFigures = {
    measurements,
    ofReport: async () => {
      if (measurements === null) return [];
      const { design } = measurements;
      const figures = firstChoices(design).flatMap((choice) =>
        drawArranged(arrangeWithReduction(measurements, choice), design),
      );
      const files = await writeAll(figures);
      return files.map((file, index) => ({ ...file, caption: writeCaption(figures[index]!, facts) }));
    },
    draw: async (drawn) => writeAll(drawBesidePaper(drawn)),
    drawLoad: async (load) => writeAll(drawOverTime(load)),
  };
}

async function writeAll(figures: readonly Figure[]): Promise<OfferedFigure[]> {
  return Promise.all(
    figures.map(async (figure) => ({
      name: nameFile(figure.fileName),
      title: figure.title,
      svg: await drawSvg(figure).text(),
      csv: formatCsv(figure.table),
    })),
  );
}

/** The points of papers are series of their own, after those that were measured. */
export function drawBesidePaper({ measurements, choice, paper }: StudyFigure): Figure[] {
  const { design } = measurements;
  const arranged = arrangeWithReduction(measurements, completeChoice(design, choice));
  const printed = paper.map(({ scenario, points }): FigureSeries => {
    const name = `${scenario}, paper`;
    return {
      values: [name],
      scenarios: [name],
      points: points.map(([x, y]) => ({ x, y, low: null, high: null, count: null, page: null })),
      fit: null,
    };
  });
  const besides = ({ panels, ...rest }: ArrangedFigure): ArrangedFigure => ({
    ...rest,
    panels: panels.map(({ values, series }) => ({ values, series: [...series, ...printed] })),
  });
  const scenarios = printed.map(({ scenarios: [name] }) => ({
    name: name!,
    isBaseline: false,
    group: null,
    variables: {},
  }));
  return drawArranged(besides(arranged), { ...design, scenarios: [...design.scenarios, ...scenarios] });
}

/** One above the other, over the same time. */
export function drawOverTime({ title, userAgent, capture, forwardKbps, returnKbps }: DrawnLoad): Figure[] {
  const user = { userAgent, capture };
  const colours = colourUsers([userAgent]);
  const draw = (way: 'received' | 'sent', capacityKbps: number | null) =>
    roundThroughputFigure([user], { way, title, colours, capacityKbps, of: 'load' });
  const received = draw('received', forwardKbps);
  const connections = connectionFigure(capture.statistics, {
    title,
    colour: colours.get(userAgent)!,
    time: received.time,
    clockOffsetMs: capture.clockOffsetMs,
    of: 'load',
  });
  return [received, ...(hasWays([user]) ? [draw('sent', returnKbps)] : []), connections];
}
