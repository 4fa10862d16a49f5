import type { ChartConfiguration, TooltipItem } from 'chart.js';
import type { ChartInks } from '../components/chart-inks.ts';
import type { MarkerShape } from '../components/scenario/scenario-style.ts';
import type { LineLayer, MarkLook, MarkWords, Plot, PlotLayer, PlotMark, PointLayer } from './plot.ts';
import { belowAxis, describeAxes } from './plot-axes.ts';

const chartTypes = {
  points: 'scatterWithErrorBars',
  bars: 'barWithErrorBars',
  parts: 'bar',
  stretches: 'bar',
  boxes: 'boxplot',
  steps: 'line',
  area: 'line',
  line: 'line',
  cells: 'scatter',
} as const satisfies Record<PlotLayer['kind'], string>;

/** How Chart.js draws a plot. It is made when it is drawn, as a page has many that nobody scrolls to. */
export function describePlot(makePlot: () => Plot): (inks: ChartInks) => ChartConfiguration {
  return (inks) => {
    const plot = makePlot();
    const { x, y, layers, overlays, overlayAxes, clip, reads } = plot;
    const type = chartTypes[layers.find(({ kind }) => kind !== 'line')?.kind ?? 'points'];
    const [categories] = [x, y].filter((axis) => axis.kind === 'categories');
    return {
      type,
      ...(overlays && { plugins: overlays(inks) }),
      data: {
        ...(categories && !categories.isNumbered && { labels: categories.names }),
        datasets: layers.map((layer) => describeLayer(layer, { inks, isSplit: plot.below !== undefined })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        ...(clip !== undefined && { clip }),
        ...(type === 'line' && { parsing: false }),
        ...(categories !== undefined && categories === y && { indexAxis: 'y' }),
        ...(reads === 'nearest' && { interaction: { mode: 'nearest', intersect: false } }),
        ...(reads === 'time' && { interaction: { mode: 'index', axis: 'x', intersect: false } }),
        ...describeClicks(layers),
        scales: { ...describeAxes(plot, inks), ...overlayAxes },
        plugins: { ...describeTooltip(layers) },
      },
      // Chart.js knows a chart of several kinds of marks by the type of each, which TypeScript does not.
    } as unknown as ChartConfiguration;
  };
}

function describeLayer(layer: PlotLayer, { inks, isSplit }: { inks: ChartInks; isSplit: boolean }) {
  const { kind, label, name = label, isBelow = false } = layer;
  return {
    type: chartTypes[kind],
    label,
    // What a tooltip calls it.
    name,
    words: wordsOf(layer),
    // Else it would take the axis that comes first, which is the lower one.
    ...(isSplit && { yAxisID: isBelow ? belowAxis : 'y' }),
    ...describeMarks(layer, inks),
  };
}

function describeMarks(layer: PlotLayer, inks: ChartInks) {
  switch (layer.kind) {
    case 'points':
      return describePoints(layer, inks);
    case 'line':
      return describeLine(layer, inks);
    case 'steps':
      return {
        data: layer.marks,
        stepped: true,
        borderColor: inks.shade(layer.look.colour),
        backgroundColor: inks.shade(layer.look.colour),
        borderWidth: 2,
        ...describeShape(layer.look.shape),
        radius: layer.pointPx,
        hoverRadius: 6,
      };
    case 'area':
      return {
        data: layer.marks,
        borderColor: inks.shade(layer.colour),
        backgroundColor: fade(inks.shade(layer.colour), 0.8),
        fill: 'stack',
        borderWidth: 0.5,
        pointRadius: 0,
      };
    case 'bars':
      return {
        data: layer.marks,
        backgroundColor: typeof layer.colours === 'string' ? inks.shade(layer.colours) : layer.colours.map(inks.shade),
        errorBarColor: inks.text,
        errorBarWhiskerColor: inks.text,
        maxBarThickness: layer.mostPx,
        ...(layer.base !== undefined && { base: layer.base }),
        // In a legend: bars have no other shape.
        pointStyle: 'rect',
      };
    case 'parts':
      return {
        data: layer.parts.map(({ value }) => value),
        backgroundColor: inks.shade(layer.colour),
        borderColor: inks.paper,
        borderWidth: 1,
        maxBarThickness: 26,
      };
    case 'stretches':
      return {
        data: layer.stretches.map((stretch) => stretch && [stretch.from, stretch.to]),
        backgroundColor: inks.shade(layer.colour),
        grouped: false,
        maxBarThickness: 10,
      };
    case 'boxes': {
      const colours = layer.boxes.map(({ colour }) => inks.shade(colour));
      return {
        data: layer.boxes.map(({ min, q1, median, q3, max, values }) => ({
          ...{ min, q1, median, q3, max, whiskerMin: min, whiskerMax: max },
          items: values,
          outliers: [],
        })),
        borderColor: colours,
        backgroundColor: colours.map((colour) => fade(colour, 0.2)),
        borderWidth: 2,
        itemRadius: 3,
        itemStyle: 'circle',
        itemBackgroundColor: colours,
        itemBorderColor: inks.paper,
        itemBorderWidth: 1,
        maxBarThickness: 46,
      };
    }
    case 'cells':
      return { data: layer.marks, pointRadius: 0, pointHitRadius: 0 };
  }
}

function describePoints(
  { marks, look, isJoined = false, hasMarks = true, linePx, isInFront }: PointLayer,
  inks: ChartInks,
) {
  return {
    data: marks,
    showLine: isJoined,
    ...(isInFront && { order: -1 }),
    ...describeLook(look, inks),
    ...(!hasMarks && { radius: 0, hoverRadius: 0, errorBarWhiskerSize: 6 }),
    ...(linePx !== undefined && { borderWidth: linePx }),
    ...(marks.some(({ isHollow }) => isHollow) && {
      backgroundColor: marks.map(({ isHollow }) => (isHollow ? 'transparent' : inks.shade(look.colour))),
    }),
    ...(marks.some(({ startsLine }) => startsLine) && {
      segment: {
        borderColor: ({ p1DataIndex }: { p1DataIndex: number }) =>
          marks[p1DataIndex]!.startsLine ? 'transparent' : undefined,
      },
    }),
  };
}

function describeLine({ marks, colour, opacity = 1, widthPx, dash, pointPx = 0, stack }: LineLayer, inks: ChartInks) {
  const shaded = colour === null ? inks.text : inks.shade(colour);
  const drawn = opacity === 1 ? shaded : fade(shaded, opacity);
  return {
    data: marks,
    spanGaps: false,
    borderColor: drawn,
    backgroundColor: drawn,
    borderWidth: widthPx,
    borderDash: dash,
    pointRadius: pointPx,
    pointHoverRadius: pointPx === 0 ? 0 : 4,
    ...(stack !== undefined && { stack }),
  };
}

/** How points of a series are drawn: its colour and its shape, error bars in the same colour. */
function describeLook({ colour: onWhite, shape }: MarkLook, inks: Pick<ChartInks, 'shade'>) {
  const colour = inks.shade(onWhite);
  return {
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 2,
    ...describeShape(shape),
    errorBarColor: colour,
    errorBarWhiskerColor: colour,
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerSize: 8,
  };
}

/** Points with error bars know these options by their bare names alone. Shapes of strokes need more room to be seen. */
function describeShape(shape: MarkerShape) {
  const radius = shape === 'crossRot' || shape === 'star' ? 6 : 5;
  const size = { radius, hoverRadius: radius + 2 };
  return shape === 'triangleDown'
    ? { pointStyle: 'triangle', rotation: 180, ...size }
    : { pointStyle: shape, rotation: 0, ...size };
}

/** The colour #rrggbb with that opacity, 0 to 1, in the notation that the SVG of a figure keeps. */
function fade(colour: string, opacity: number): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `rgba(${red!}, ${green!}, ${blue!}, ${opacity})`;
}

function wordsOf(layer: PlotLayer): readonly (MarkWords | null)[] {
  if (layer.kind === 'boxes') return [];
  if (layer.kind === 'parts') return layer.parts;
  return layer.kind === 'stretches' ? layer.stretches : layer.marks;
}

function describeClicks(layers: readonly PlotLayer[]) {
  const markAt = (layer: number, mark: number) => wordsOf(layers[layer]!)[mark] as PlotMark | null | undefined;
  if (layers.every((layer) => wordsOf(layer).every((mark) => (mark as PlotMark | null)?.open === undefined))) return {};
  return {
    onClick: (_event: unknown, [element]: { datasetIndex: number; index: number }[]) =>
      element && markAt(element.datasetIndex, element.index)?.open?.(),
  };
}

/** Of marks with texts. Where none has any, Chart.js writes their numbers. */
function describeTooltip(layers: readonly PlotLayer[]) {
  if (layers.every(({ kind }) => kind === 'cells')) return { tooltip: { enabled: false } };
  if (layers.every((layer) => wordsOf(layer).every((words) => words?.text === undefined))) return {};
  const wordsAt = ({ dataset, dataIndex }: TooltipItem<'scatter'>) =>
    (dataset as unknown as { words: (MarkWords | null)[] }).words[dataIndex];
  return {
    tooltip: {
      filter: (item: TooltipItem<'scatter'>) => wordsAt(item)?.text !== undefined,
      usePointStyle: layers.some(hasShape),
      boxPadding: 6,
      callbacks: {
        title: ([item]: TooltipItem<'scatter'>[]) => (item && wordsAt(item)?.title) ?? '',
        label: (item: TooltipItem<'scatter'>) =>
          [(item.dataset as unknown as { name: string }).name, wordsAt(item)?.text].filter(Boolean).join(': '),
      },
    },
  };
}

function hasShape(layer: PlotLayer): boolean {
  return ['points', 'steps', 'bars'].includes(layer.kind);
}
