import { Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Arm } from '#core/comparison/arms.ts';
import { compareReductions, describeReductionChange } from '#core/comparison/reduction-change.ts';
import { catalogue, type LatencyId } from '#core/metrics/index.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { ValuesInText } from '../../components/values-in-text.tsx';
import { Defined } from '../../components/terms/term.tsx';
import { formatP, formatReduction } from '../../format/format-ratios.ts';

const confidence = 0.95;

interface ReductionsByRunProps {
  arms: readonly Arm[];
  styles: Map<string, ScenarioStyle>;
  metric: LatencyId;
}

/** Whether the gain of each Scenario changed from the first Run to the others: what is asked after one thing was changed. Nothing where no Scenario is compared. */
export function ReductionsByRun({ arms, styles, metric }: ReductionsByRunProps) {
  const compared = [...Map.groupBy(arms.filter(isCompared), ({ scenario }) => scenario)];
  if (compared.length === 0) return null;
  const changes = compared.flatMap(([scenario, [first, ...others]]) =>
    others.flatMap((other) => {
      const change = compareReductions(first!, other, confidence);
      return change
        ? [describeReductionChange(change, { scenario, earlier: first!.runId, later: other.runId, confidence })]
        : [];
    }),
  );
  return (
    <Section title={`Reduction of ${catalogue[metric].label.toLowerCase()}`}>
      {changes.length > 0 && (
        <Stack gap={4} role="group" aria-label="Changes of the reduction">
          {changes.map((sentence) => (
            <Text key={sentence} size="sm" maw={900}>
              <ValuesInText text={sentence} />
            </Text>
          ))}
        </Stack>
      )}
      <Table.ScrollContainer minWidth={700}>
        <Table aria-label="Reductions of the Runs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Scenario</Table.Th>
              <Table.Th>Run</Table.Th>
              <Table.Th className="numeric">Reduction vs its baseline</Table.Th>
              <Table.Th className="numeric">
                <Defined definition="How much less time the Scenario takes in this Run than in the first one listed, each against its own baseline: 1 − the ratio of both ratios. Welch’s 95 % interval of the log ratios of their Blocks.">
                  Time vs the first Run
                </Defined>
              </Table.Th>
              <Table.Th className="numeric">
                <Defined definition="Of the same test, two-sided: below 0.05 just where the interval is on one side of 0. Exploratory: not corrected for the number of comparisons.">
                  p
                </Defined>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {compared.flatMap(([, own]) =>
              own.map((arm) => (
                <Table.Tr key={arm.key}>
                  <Table.Th scope="row">
                    <ScenarioName name={arm.scenario} style={styles.get(arm.scenario)} />
                  </Table.Th>
                  <Table.Td>
                    <Anchor component={Link} to={`/runs/${arm.runId}/comparison`} inherit underline="always">
                      {arm.runId}
                    </Anchor>
                  </Table.Td>
                  <Table.Td className="numeric">
                    {arm.reduction ? formatReduction(arm.reduction) : <AbsentValue reason={whyAbsent(arm)} />}
                  </Table.Td>
                  <ChangeCells arm={arm} first={own[0]!} />
                </Table.Tr>
              )),
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}

const isCompared = ({ verdict, reduction }: Arm) => verdict !== undefined || reduction !== null;

const whyAbsent = ({ verdict }: Arm) =>
  verdict === 'not-comparable'
    ? 'It lost other objects than its baseline, so the two cannot be compared.'
    : 'No Block has both this Scenario and its baseline.';

function ChangeCells({ arm, first }: { arm: Arm; first: Arm }) {
  const change = arm.key === first.key ? null : compareReductions(first, arm, confidence);
  if (!change) {
    const reason =
      arm.key === first.key ? 'This is the first Run.' : 'It needs a reduction of two Blocks or more in both Runs.';
    return [0, 1].map((column) => (
      <Table.Td key={column} className="numeric">
        <AbsentValue reason={reason} />
      </Table.Td>
    ));
  }
  const { p } = change;
  return (
    <>
      <Table.Td className="numeric">{formatReduction(change)}</Table.Td>
      <Table.Td className="numeric">{formatP(p)}</Table.Td>
    </>
  );
}
