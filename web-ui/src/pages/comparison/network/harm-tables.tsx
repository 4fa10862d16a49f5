import { Group, Table, Text, Title } from '@mantine/core';
import { nameLatency, type LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { DelaysComparison } from '#core/comparison/users/compare-delays.ts';
import type { HarmComparison } from '#core/comparison/users/compare-harm.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { Folded } from '../../../components/folded.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term } from '../../../components/terms/term.tsx';
import { formatMean, formatNumber } from '../../../format/format-numbers.ts';
import { formatPercent } from '../../../format/format-ratios.ts';
import { formatDifferenceMs, formatMs } from '../../../format/format-times.ts';

type Styles = Map<string, ScenarioStyle>;

/** Each user alone and together with the others. */
export function HarmTable({
  harm: { metric, scenarios },
  countedFrom,
  styles,
}: {
  harm: HarmComparison;
  countedFrom: LatencyOrigin | undefined;
  styles: Styles;
}) {
  return (
    <>
      <Title order={3} mt="md" id="harm">
        Alone and together
      </Title>
      <Table.ScrollContainer minWidth={620}>
        <Table w="auto" aria-label="Each user alone and together with the others">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{nameLatency(metric, countedFrom)}</Table.Th>
              <Table.Th className="numeric">alone</Table.Th>
              <Table.Th className="numeric">together</Table.Th>
              <Table.Th className="numeric">slower by, ms</Table.Th>
              <Table.Th className="numeric">
                <Term of="harm">Harm</Term>
              </Table.Th>
              <Table.Th className="numeric">Blocks</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {scenarios.map(({ scenario, users }) => (
            <Table.Tbody key={scenario}>
              <Table.Tr>
                <Table.Th scope="rowgroup" colSpan={6}>
                  <ScenarioName name={scenario} style={styles.get(scenario)} />
                </Table.Th>
              </Table.Tr>
              {users.map(({ userAgent, aloneMs, togetherMs, slowDown, harm, blocks }) => (
                <Table.Tr key={userAgent}>
                  <Table.Td>{userAgent}</Table.Td>
                  <Table.Td className="numeric">{formatMs(aloneMs)}</Table.Td>
                  <Table.Td className="numeric">{formatMs(togetherMs)}</Table.Td>
                  <Table.Td className="numeric">{formatRange(slowDown, (ms) => formatDifferenceMs(ms, 0))}</Table.Td>
                  <Table.Td className="numeric">
                    {harm ? (
                      formatRange({ value: harm.ratio, low: harm.low, high: harm.high }, formatPercent)
                    ) : (
                      <AbsentValue reason="A mean is 0." />
                    )}
                  </Table.Td>
                  <Table.Td className="numeric">{blocks}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          ))}
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

function formatRange(
  { value, low, high }: { value: number; low: number | null; high: number | null },
  format: (value: number) => string,
): string {
  return low === null || high === null ? format(value) : `${format(value)} (${format(low)} to ${format(high)})`;
}

type MeasuredDelays = Extract<DelaysComparison, { kind: 'measured' }>;

/** For how long the bytes of each user kept the link busy while another waited. */
export function DelaysTables({ delays: { scenarios }, styles }: { delays: MeasuredDelays; styles: Styles }) {
  return (
    <Folded summary={<span id="delays">Who delays whom: {describeMost(scenarios)}</span>}>
      <Text size="sm" c="dimmed">
        For how many ms per Visit the link was busy with the bytes of each, while the user of the row waited for it.
      </Text>
      <Group gap="xl" align="start">
        {scenarios.map(({ scenario, rateKbps, roundsCounted, users }) => (
          <Table.ScrollContainer key={scenario} minWidth={200 + 110 * users.length}>
            <Table w="auto" aria-label={`Who delays whom in ${scenario}`} verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>
                    <ScenarioName name={scenario} style={styles.get(scenario)} />
                  </Table.Th>
                  {users.map(({ userAgent }) => (
                    <Table.Th key={userAgent} className="numeric">
                      by {userAgent}
                    </Table.Th>
                  ))}
                  <Table.Th className="numeric">by all others</Table.Th>
                  <Table.Th className="numeric">Rounds</Table.Th>
                  <Table.Th className="numeric">Link</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {users.map(({ userAgent, by }) => (
                  <Table.Tr key={userAgent}>
                    <Table.Th scope="row">{userAgent} waits</Table.Th>
                    {users.map((other) => {
                      const estimate = by.find((each) => each.userAgent === other.userAgent)?.estimate;
                      const isOwn = other.userAgent === userAgent;
                      return (
                        <Table.Td key={other.userAgent} className="numeric">
                          {estimate ? (
                            <Text span size="sm" {...(isOwn && { c: 'dimmed' })}>
                              {formatMean(estimate, 0)}
                            </Text>
                          ) : (
                            <AbsentValue reason="No Visit shows what it waited for." />
                          )}
                        </Table.Td>
                      );
                    })}
                    <Table.Td className="numeric">
                      {formatMs(
                        by.reduce((sum, each) => sum + (each.userAgent === userAgent ? 0 : each.estimate.mean), 0),
                      )}
                    </Table.Td>
                    <Table.Td className="numeric">{roundsCounted}</Table.Td>
                    <Table.Td className="numeric">{formatNumber(rateKbps)} kb/s</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        ))}
      </Group>
    </Folded>
  );
}

/** The longest wait of a user for all others, of any Scenario. */
function describeMost(scenarios: MeasuredDelays['scenarios']): string {
  const waits = scenarios.flatMap(({ users }) =>
    users.map(({ userAgent, by }) =>
      by.reduce((sum, each) => sum + (each.userAgent === userAgent ? 0 : each.estimate.mean), 0),
    ),
  );
  return `a Visit waits up to ${formatMs(Math.max(0, ...waits))} while the link is busy with others’ bytes`;
}
