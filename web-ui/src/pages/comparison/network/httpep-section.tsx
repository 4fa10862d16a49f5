import { Text } from '@mantine/core';
import type { Comparison } from '#core/comparison/comparison.ts';
import { httpepFigureIds, httpepFigures, type ScenarioHttpep } from '#core/comparison/network/httpep-comparison.ts';
import { Defined } from '../../../components/terms/defined.tsx';
import { Section } from '../../../components/section.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term } from '../../../components/terms/term.tsx';
import { CapturedRounds } from './captured-rounds.tsx';
import { CountedCell } from './counted-cell.tsx';
import { ScenarioFigures } from './scenario-figures.tsx';

interface HttpepSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** What HTTPEP counted, Scenario by Scenario. Not there where no Scenario used it. */
export function HttpepSection({ comparison, styles }: HttpepSectionProps) {
  const { httpep } = comparison;
  if (!httpep) return null;
  return (
    <Section id="httpep" title="HTTPEP">
      <ScenarioFigures
        label="HTTPEP by Scenario"
        first="Per Round"
        rows={httpep.scenarios}
        columns={[
          ...httpepFigureIds.map((id) => ({
            name: id,
            heading: <Defined definition={httpepFigures[id].definition}>{httpepFigures[id].label}</Defined>,
            cell: ({ figures }: ScenarioHttpep) => <CountedCell unit={httpepFigures[id].unit} value={figures[id]} />,
          })),
          {
            name: 'rounds',
            heading: <Term of="round">Rounds</Term>,
            widthPx: 130,
            cell: (scenario) => <CapturedRounds captured={scenario} reason={scenario.leftOutReason ?? ''} />,
          },
        ]}
        compared={comparison}
        styles={styles}
        minWidthPx={1500}
        nameWidthPx={230}
      />
      <Text size="xs" c="dimmed">
        Means per Round of what both ends counted, with the ± of their interval. Scenarios without HTTPEP are not in the
        table.
      </Text>
    </Section>
  );
}
