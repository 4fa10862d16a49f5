import type { Comparison } from '#core/comparison/comparison.ts';
import { taskMetricIds, type MetricId } from '#core/metrics/catalogue.ts';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { MeasuresSection } from './measures-section.tsx';

const ofRendering = [
  'firstContentfulPaintMs',
  'largestContentfulPaintMs',
  'speedIndexMs',
  'visuallyComplete85Ms',
  'visuallyComplete95Ms',
  'visuallyComplete100Ms',
  'cumulativeLayoutShift',
  'totalBlockingMs',
  'interactionMs',
] as const satisfies MetricId[];

interface SectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** What users saw, and when. */
export function RenderingSection(props: SectionProps) {
  return (
    <MeasuresSection
      {...props}
      id="rendering"
      title="Rendering"
      metrics={ofRendering}
      remarkOn={(available) =>
        available.includes('speedIndexMs') ? '' : 'Speed Index and visual completeness need filmstrips.'
      }
    />
  );
}

/** What pages did after they had loaded. */
export function TasksSection(props: SectionProps) {
  return <MeasuresSection {...props} id="tasks" title="Tasks and messages" metrics={taskMetricIds} />;
}
