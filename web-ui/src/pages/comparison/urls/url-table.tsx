import { Table, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import { isBaseline, partByGroup } from '#core/comparison/compared-group.ts';
import type { Cell, Comparison, Reduction } from '#core/comparison/comparison.ts';
import type { AbsenceCount } from '#core/comparison/cells/count-absences.ts';
import type { FailedObjectsRule } from '#core/evaluation/pages/page-load.ts';
import { useIsAlone } from '../../../components/report-place.ts';
import { EstimateValue } from '../../../components/reduction/estimate-value.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { SortButton } from '../../../components/sort-button.tsx';
import { VirtualRows } from '../../../components/virtual-rows.tsx';
import { VisitsLink } from '../../../components/run/visits-link.tsx';
import { formatCount } from '../../../format/format-numbers.ts';
import { formatReduction } from '../../../format/format-ratios.ts';
import { explainAbsence } from '../scenarios/explain-absence.ts';
import { failedStatus } from '../scenarios/scenario-table.tsx';
import { hasReductions, type UrlRow } from './url-rows.ts';
import type { View } from '../use-view.ts';
import classes from './url-table.module.css';

interface UrlTableProps {
  runId: string;
  rows: UrlRow[];
  scenarios: string[];
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  /** Of the metric. */
  absences: readonly AbsenceCount[];
  styles: Map<string, ScenarioStyle>;
  view: View;
  changeView: (change: Partial<View>) => void;
  onOpen: (url: string | null) => void;
  /** Cells whose corrected p is at most this count as different. */
  alpha: number;
  rule: FailedObjectsRule;
}

/** Of a row with a mean in each cell, and with the reduction below it. */
/** Wider, the eye loses the row. */
const [widestName, widestCell] = [460, 300];
const rowHeightPx = { plain: 38, withReductions: 52 };

/** URL × Scenario, each cell a mean with its interval, over all User Agents with the reduction above it. A heading sorts by its column, and again the other way. */
export function UrlTable({
  runId,
  rows,
  scenarios: all,
  compared,
  absences,
  styles,
  view,
  changeView,
  onOpen,
  alpha,
  rule,
}: UrlTableProps) {
  const orderOf = (column: string | null) =>
    view.sortedBy !== column ? 'none' : view.isDescending ? 'descending' : 'ascending';
  const sortBy = (column: string | null) =>
    changeView({ sortedBy: column, isDescending: view.sortedBy === column && !view.isDescending });
  const parts = partByGroup(compared.groups, all, (name) => name);
  const scenarios = parts.flatMap(({ items }) => items);
  const scroller = useRef<HTMLDivElement>(null);
  const heightPx = hasReductions(rows) ? rowHeightPx.withReductions : rowHeightPx.plain;
  return (
    <div ref={scroller} className={classes.scroller} tabIndex={0} role="region" aria-label="Table of URLs">
      <Table
        stickyHeader
        miw={200 + 190 * scenarios.length}
        maw={widestName + widestCell * scenarios.length}
        aria-rowcount={rows.length + (compared.groups ? 2 : 1)}
        highlightOnHover
        aria-label="Latency by URL and Scenario"
      >
        <Table.Thead>
          {compared.groups && (
            <Table.Tr>
              <Table.Td />
              {parts.map(({ group, items }) => (
                <Table.Th key={group?.name} scope="colgroup" colSpan={items.length} className={classes.group}>
                  {group?.name}
                </Table.Th>
              ))}
            </Table.Tr>
          )}
          <Table.Tr>
            <Table.Th aria-sort={orderOf(null)}>
              <SortButton order={orderOf(null)} onClick={() => sortBy(null)}>
                URL
              </SortButton>
            </Table.Th>
            {scenarios.map((name) => (
              <Table.Th key={name} className="numeric" aria-sort={orderOf(name)}>
                <SortButton order={orderOf(name)} onClick={() => sortBy(name)}>
                  <ScenarioName name={name} style={styles.get(name)} isBaseline={isBaseline(compared, name)} />
                </SortButton>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <VirtualRows rows={rows} rowHeightPx={heightPx} columns={1 + scenarios.length} scroller={scroller}>
          {(row) => (
            <Table.Tr key={row.url} h={heightPx} data-selected={row.url === view.openUrl || undefined}>
              <Table.Th scope="row" className={classes.url}>
                <UnstyledButton
                  className={classes.open}
                  aria-expanded={row.url === view.openUrl}
                  title={row.url}
                  onClick={() => onOpen(row.url === view.openUrl ? null : row.url)}
                >
                  {row.label}
                </UnstyledButton>
              </Table.Th>
              {scenarios.map((name) => (
                <Table.Td key={name} className="numeric">
                  <CellValue
                    cell={row.cells.get(name) ?? null}
                    runId={runId}
                    absences={absences}
                    alpha={alpha}
                    rule={rule}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          )}
        </VirtualRows>
      </Table>
    </div>
  );
}

function CellValue({
  cell,
  runId,
  absences,
  alpha,
  rule,
}: {
  cell: Cell | null;
  runId: string;
  absences: readonly AbsenceCount[];
  alpha: number;
  rule: FailedObjectsRule;
}) {
  const isAlone = useIsAlone();
  return (
    <>
      {cell && cell.failedVisits > 0 && (
        <Tooltip
          label={`${cell.failedVisits} of ${formatCount(cell.visits, 'Visit')} failed; the mean leaves them out.`}
        >
          <Text span size="xs" c="var(--mantine-color-error)" mr="xs" {...(isAlone && { tabIndex: 0 })}>
            <VisitsLink
              filter={{
                runId,
                scenario: cell.scenario,
                userAgent: cell.userAgent,
                url: cell.url,
                status: failedStatus(cell, rule),
              }}
            >
              {cell.failedVisits} failed
            </VisitsLink>
          </Text>
        </Tooltip>
      )}
      {cell && cell.lossyVisits > 0 && (
        <Tooltip
          label={`${formatCount(cell.lossyVisits, 'Visit')} of ${cell.visits} lost objects that other Visits of this page received.`}
        >
          <Text span size="xs" c="var(--mantine-color-error)" mr="xs" {...(isAlone && { tabIndex: 0 })}>
            <VisitsLink
              filter={{
                runId,
                scenario: cell.scenario,
                userAgent: cell.userAgent,
                url: cell.url,
                status: 'failed-objects',
              }}
            >
              {cell.lossyVisits} with lost objects
            </VisitsLink>
          </Text>
        </Tooltip>
      )}
      {cell?.reduction && (
        <div className={classes.reduction} data-shown={isShown(cell.reduction, alpha)}>
          {formatReduction(cell.reduction)}
          {isShown(cell.reduction, alpha) ? '' : ' n.s.'}
        </div>
      )}
      <div className={cell?.reduction ? classes.mean : undefined}>
        <EstimateValue
          estimate={cell?.estimate ?? null}
          absence={explainAbsence(cell, { absences: absences.filter(({ scenario }) => scenario === cell?.scenario) })}
        />
      </div>
    </>
  );
}

/** Whether the corrected p shows that it differs from zero; one Block has none. */
function isShown({ adjustedP }: Reduction, alpha: number): boolean {
  return adjustedP !== null && adjustedP <= alpha;
}
