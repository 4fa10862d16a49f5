import { BoxAndWiskers, BoxPlotController } from '@sgratzl/chartjs-chart-boxplot';
import {
  BarElement,
  CategoryScale,
  Chart,
  Filler,
  Legend,
  LinearScale,
  LogarithmicScale,
  LineController,
  LineElement,
  PointElement,
  Title,
  Tooltip,
  BarController,
} from 'chart.js';
import {
  BarWithErrorBar,
  BarWithErrorBarsController,
  PointWithErrorBar,
  ScatterWithErrorBarsController,
} from 'chartjs-chart-error-bars';
import { theme } from '../theme.ts';

/** Chart.js carries only the kinds of charts that the report needs. */
export function registerChartParts(): void {
  Chart.defaults.font.family = theme.fontFamily!;
  // Else the language of the browser would choose the marks of thousands and decimals.
  Chart.defaults.locale = 'en-US';
  Chart.register(
    ScatterWithErrorBarsController,
    PointWithErrorBar,
    BarWithErrorBarsController,
    BarWithErrorBar,
    BarController,
    BarElement,
  );
  Chart.register(
    BoxPlotController,
    BoxAndWiskers,
    LineController,
    LineElement,
    PointElement,
    Filler,
    LinearScale,
    LogarithmicScale,
    CategoryScale,
    Tooltip,
    Legend,
    Title,
  );
  Chart.defaults.plugins.legend.display = false;
}
