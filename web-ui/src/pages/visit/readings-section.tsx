import { Table, Text } from '@mantine/core';
import { catalogue, metricIds, listSection, type MetricId } from '#core/metrics/index.ts';
import { mainThread } from '#core/metrics/main-thread.ts';
import type { AbsenceReason } from '#core/metrics/metric-definition.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatReading } from '../../format/format-reading.ts';

const absenceWords: Record<AbsenceReason, string> = {
  unsupported: 'the engine has no such measurement',
  'not-reached': 'did not happen before the Visit ended',
  'page-hidden': 'the page was hidden',
  'timing-hidden': 'the browser hides it from other origins',
  'not-applicable': 'it does not apply to the page',
  'opened-ahead': 'the browser opened the connection before the request, and gives no times of it',
  'not-filmed': 'not filmed from start to end',
  'not-recorded': 'the main thread was not recorded',
};

const ofFewPages: ReadonlySet<MetricId> = new Set([...listSection('tasks'), 'interactionMs']);
const ofMainThread: ReadonlySet<string> = new Set(Object.keys(mainThread));

/** Every metric of a Visit: its value, or why it has none. Most pages have no task, and no interaction; and most Runs do not record the main thread. */
export function ReadingsSection({ visit }: { visit: VisitDetail }) {
  const record = visit.snapshot?.mainThread;
  const isShown = (metric: MetricId) =>
    visit.readings[metric] !== undefined || (ofMainThread.has(metric) ? record !== undefined : !ofFewPages.has(metric));
  return (
    <Section title="Readings">
      <div style={{ columns: '2 360px', columnGap: 48 }}>
        <Table aria-label="Readings" verticalSpacing={4} fz="sm">
          <Table.Tbody style={{ borderTop: '1px solid var(--table-border-color)' }}>
            {metricIds.filter(isShown).map((metric) => (
              <Table.Tr key={metric}>
                <Table.Th scope="row" fw={400}>
                  <Term metric={metric} />
                </Table.Th>
                <Table.Td className="numeric">
                  <ReadingValue metric={metric} visit={visit} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {record?.kind === 'absent' && (
        <Text size="sm" c="dimmed">
          No main thread: {record.reason}.
        </Text>
      )}
    </Section>
  );
}

function ReadingValue({ metric, visit }: { metric: MetricId; visit: VisitDetail }) {
  const value = visit.readings[metric];
  if (value !== undefined) return formatReading(value, catalogue[metric].unit);
  return (
    <Text span inherit c="dimmed" size="xs" style={{ whiteSpace: 'normal' }}>
      {explainNoReading(metric, visit)}
    </Text>
  );
}

/** Why a Visit has no value of a metric, without a full stop. */
export function explainNoReading(
  metric: MetricId,
  { absences, snapshot, status }: Pick<VisitDetail, 'absences' | 'snapshot' | 'status'>,
): string {
  const reason = absences[metric];
  if (reason !== undefined) return absenceWords[reason];
  return snapshot === null && status === 'failed'
    ? 'the page was not observed'
    : 'not computed when the Visit was stored';
}
