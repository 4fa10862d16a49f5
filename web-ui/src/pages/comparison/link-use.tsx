import { Table } from '@mantine/core';
import { causeIds, type CauseId } from '#core/causes/causes.ts';
import type { Estimate } from '#core/comparison/estimate.ts';
import type { DelaysComparison } from '#core/comparison/users/compare-delays.ts';
import { catalogue } from '#core/metrics/index.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { CauseName } from '../../components/causes/cause-bars.tsx';
import classes from '../../components/causes/causes.module.css';
import { Folded } from '../../components/folded.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { formatMean } from '../../format/format-numbers.ts';

type MeasuredDelays = Extract<DelaysComparison, { kind: 'measured' }>;
type Link = MeasuredDelays['scenarios'][number]['link'];

const unseenIdle = 'Background load crosses this link too: how long it was idle is not known.';
const unseenRepairs = 'These Captures are of an Agent that did not look for repairs yet.';

/** Null where it is not known, and undefined where the link was never idle for this. */
function idleBy(cause: CauseId, { idle }: Link): Estimate | null | undefined {
  return idle && idle.find((each) => each.cause === cause)?.estimate;
}

interface LinkUseProps {
  delays: MeasuredDelays;
  styles: Map<string, ScenarioStyle>;
}

/** A shorter mean has no row of its own. */
const leastMs = 1;

/** What the link did meanwhile, where packets show it. */
export function LinkUse({ delays: { scenarios }, styles }: LinkUseProps) {
  const idle = causeIds.filter((cause) => scenarios.some(({ link }) => (idleBy(cause, link)?.mean ?? 0) >= leastMs));
  const cells = (read: (link: Link) => Estimate | null | undefined) =>
    scenarios.map(({ scenario, link }) => {
      const estimate = read(link);
      return (
        <Table.Td key={scenario} className="numeric">
          {estimate === null ? (
            <AbsentValue reason={link.idle === null ? unseenIdle : unseenRepairs} />
          ) : estimate ? (
            formatMean(estimate, 0)
          ) : (
            '0'
          )}
        </Table.Td>
      );
    });
  return (
    <Folded summary="What the link did meanwhile">
      <Table.ScrollContainer minWidth={240 + 110 * scenarios.length} className={classes.causes}>
        <Table w="auto" aria-label="What the link did during the critical paths" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>The link, ms of the {catalogue.totalMs.label.toLowerCase()}</Table.Th>
              {scenarios.map(({ scenario }) => (
                <Table.Th key={scenario} className="numeric">
                  <ScenarioName name={scenario} style={styles.get(scenario)} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              <Table.Th scope="row">busy with own bytes</Table.Th>
              {cells(({ own }) => own)}
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">busy with others’ bytes</Table.Th>
              {cells(({ others }) => others)}
            </Table.Tr>
            {scenarios.some(({ link }) => (link.repairs?.mean ?? 0) >= leastMs) && (
              <Table.Tr>
                <Table.Th scope="row">idle: repairing losses</Table.Th>
                {cells(({ repairs }) => repairs)}
              </Table.Tr>
            )}
            {idle.map((cause) => (
              <Table.Tr key={cause}>
                <Table.Th scope="row">
                  idle: <CauseName cause={cause} />
                </Table.Th>
                {cells((link) => idleBy(cause, link))}
              </Table.Tr>
            ))}
            {scenarios.every(({ link }) => link.idle === null) && (
              <Table.Tr>
                <Table.Th scope="row">idle</Table.Th>
                {cells(() => null)}
              </Table.Tr>
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Folded>
  );
}
