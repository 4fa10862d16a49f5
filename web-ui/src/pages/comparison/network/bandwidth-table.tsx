import type { Comparison, Estimate, ScenarioBandwidth } from '#core/comparison/comparison.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term } from '../../../components/terms/term.tsx';
import { formatNumber } from '../../../format/format-number.ts';
import { CapturedRounds } from './captured-rounds.tsx';
import { ScenarioFigures } from './scenario-figures.tsx';

interface BandwidthTableProps {
  scenarios: ScenarioBandwidth[];
  userAgents: string[];
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  styles: Map<string, ScenarioStyle>;
}

/** How the User Agents of each Scenario shared the way to them. */
export function BandwidthTable({ scenarios, userAgents, compared, styles }: BandwidthTableProps) {
  return (
    <ScenarioFigures
      label="Bandwidth share and fairness by Scenario"
      first={<Term of="scenario">Scenario</Term>}
      rows={scenarios}
      columns={[
        ...userAgents.map((name) => ({
          name: `share of ${name}`,
          heading: <Term of="bandwidthShare">{name}</Term>,
          cell: ({ shares }: ScenarioBandwidth) => (
            <MeanValue
              estimate={shares.find(({ userAgent }) => userAgent === name)?.estimate ?? null}
              format={formatShare}
              unit={'\u00A0%'}
            />
          ),
        })),
        {
          name: 'fairness',
          heading: <Term of="fairness">Fairness</Term>,
          cell: ({ fairness }) => <MeanValue estimate={fairness} format={formatIndex} />,
        },
        ...(hasWeights(scenarios) ? [weightedColumn] : []),
        {
          name: 'least to most',
          heading: <Term of="leastToMost">Least to most</Term>,
          cell: ({ leastToMost }) => <MeanValue estimate={leastToMost} format={formatIndex} />,
        },
        {
          name: 'rounds',
          heading: <Term of="round">Rounds</Term>,
          cell: (scenario) => (
            <CapturedRounds captured={scenario} reason="Not all User Agents were captured and active together." />
          ),
        },
      ]}
      compared={compared}
      styles={styles}
      minWidthPx={600}
    />
  );
}

const weightedColumn = {
  name: 'weighted fairness',
  heading: <Term of="weightedFairness">by class weight</Term>,
  cell: ({ fairness, weightedFairness }: ScenarioBandwidth) => (
    <MeanValue
      estimate={weightedFairness}
      format={formatIndex}
      absence={fairness ? 'In this Scenario, not every User Agent has a class.' : undefined}
    />
  ),
};

const formatIndex = (value: number) => formatNumber(value, 3);
const formatShare = (ratio: number) => formatNumber(100 * ratio, 1);
const hasWeights = (scenarios: ScenarioBandwidth[]) =>
  scenarios.some(({ weightedFairness }) => weightedFairness !== null);

interface MeanValueProps {
  estimate: Estimate | null;
  format: (value: number) => string;
  unit?: string;
  absence?: string | undefined;
}

function MeanValue({
  estimate,
  format,
  unit = '',
  absence = 'No counted Round has the packets of all User Agents.',
}: MeanValueProps) {
  if (!estimate) return <AbsentValue reason={absence} />;
  return `${format(estimate.mean)} ± ${estimate.halfWidth === null ? '—' : format(estimate.halfWidth)}${unit}`;
}
