import { Chart, LinearScale, LineElement, Tooltip } from 'chart.js';
import { PointWithErrorBar, ScatterWithErrorBarsController } from 'chartjs-chart-error-bars';
import { theme } from '../../app/theme.ts';

/** Chart.js carries only what it is told to: this one kind of chart. */
export function registerChartParts(): void {
  Chart.defaults.font.family = theme.fontFamily!;
  Chart.register(ScatterWithErrorBarsController, PointWithErrorBar, LineElement, LinearScale, Tooltip);
}
