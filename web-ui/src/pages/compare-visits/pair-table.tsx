import { Text, UnstyledButton } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import type { PathStep } from '#core/causes/critical-path.ts';
import type { WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';
import type { MatchedRow } from '#web-ui/src/waterfall/match-rows.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioMarker } from '../../components/scenario/scenario-marker.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatBytes } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';
import { DetailsBeside } from '../visit/details-beside.tsx';
import { nameObjects } from '../visit/name-objects.ts';
import { RequestDetails } from '../visit/request-details.tsx';
import { ThroughputFeet } from '../visit/throughput-foot.tsx';
import { TimeLane, type TimeScale } from '../visit/time-lane.tsx';
import { TimeTable, type TimeColumn } from '../visit/time-table.tsx';
import waterfall from '../visit/waterfall.module.css';
import { describeRow, hasLost } from './describe-differences.ts';
import classes from './pair-table.module.css';
import type { SeenVisit } from '../visit/use-seen-visit.ts';
import { Filmstrip } from '../visit/film-of-visit.tsx';

interface PairTableProps {
  rows: MatchedRow[];
  /** What all rows differ in alike. */
  common: ReadonlySet<string>;
  first: SeenVisit;
  second: SeenVisit;
  /** The same time for both, each with the moments of its own Visit. */
  scales: [TimeScale, TimeScale];
  /** Of either, the steps of the critical path by the key of their row. */
  paths: readonly ReadonlyMap<string, readonly PathStep[]>[];
  chosenKey: string | null;
  onChoose: (key: string) => void;
}

const lanePx = 18;

const columns: TimeColumn[] = [
  { name: 'Object' },
  { name: 'Differs in', widthPx: 80 },
  { name: 'Size', widthPx: 62, isNumber: true },
  { name: 'End', widthPx: 70, isNumber: true },
];

/** Each object in a row with a lane for either Visit, and what differs. */
export function PairTable({ rows, common, first, second, scales, paths, chosenKey, onChoose }: PairTableProps) {
  const names = useMemo(() => nameObjects(rows.map((row) => urlOf(row))), [rows]);
  const both = [first, second] as const;
  const visitNames = [first.visit.scenario, second.visit.scenario] as const;
  return (
    <TimeTable
      label="Requests of both Visits"
      region="Requests of both Visits on the time axis"
      columns={columns}
      visits={both.map(({ style }, place) => ({ scale: scales[place]!, style }))}
      rowCount={rows.length}
      films={pairStrips(both, scales)}
      tableClass={classes.table}
      scrollerClass={classes.scroller}
      laneClass={classes.time}
      foot={
        <ThroughputFeet
          columnsBefore={4}
          laneClass={classes.time}
          visits={both.flatMap(({ visit, waterfall: drawn }, place) =>
            drawn ? [{ visit, originEpochMs: drawn.originEpochMs, scale: scales[place]! }] : [],
          )}
        />
      }
    >
      {(scroller) => (
        <VirtualRows
          rows={rows}
          rowHeightPx={2 * lanePx + 6}
          columns={columns.length + 1}
          scroller={{ current: scroller }}
        >
          {(row, index) => {
            const { name, host } = names.get(urlOf(row))!;
            return (
              <tr key={row.key} data-chosen={row.key === chosenKey} aria-rowindex={index + 2}>
                <th scope="row">
                  <DetailsBeside
                    isOpen={row.key === chosenKey}
                    onClose={() => onChoose(row.key)}
                    details={<PairDetails row={row} both={both} />}
                  >
                    <UnstyledButton className={waterfall.object} title={urlOf(row)} onClick={() => onChoose(row.key)}>
                      <span className={waterfall.name}>{name}</span>
                      <span className={waterfall.host}>{host}</span>
                    </UnstyledButton>
                  </DetailsBeside>
                </th>
                <td className={hasLost(row) ? `${classes.differs} ${classes.lost}` : classes.differs}>
                  {describeRow(row, { common, names: visitNames })}
                </td>
                <td className={waterfall.number}>
                  <InBoth row={row} value={({ receivedBytes }) => receivedBytes} format={formatBytes} />
                </td>
                <td className={waterfall.number}>
                  <InBoth row={row} value={({ endMs }) => endMs} format={formatMs} />
                </td>
                <td className={`${waterfall.time} ${classes.time}`}>
                  <div className={classes.lanes}>
                    {[row.first, row.second].map((request, place) => (
                      <div key={place} className={classes.lane}>
                        <ScenarioMarker style={both[place]!.style} />
                        <TimeLane
                          phases={request?.phases ?? []}
                          path={request ? (paths[place]!.get(request.key) ?? []) : []}
                          scale={scales[place]!}
                          heightPx={lanePx}
                          barPx={9}
                        />
                      </div>
                    ))}
                    <EndsApart row={row} endMs={scales[0].endMs} />
                  </div>
                </td>
              </tr>
            );
          }}
        </VirtualRows>
      )}
    </TimeTable>
  );
}

/** From the end of one request to that of the other, while its row is pointed at or has the focus. The figures beside it say the same. */
function EndsApart({ row: { first, second }, endMs }: { row: MatchedRow; endMs: number }) {
  const [one, other] = [first?.endMs ?? null, second?.endMs ?? null];
  if (one === null || other === null || one === other) return null;
  const percent = (ms: number) => `${(100 * ms) / endMs}%`;
  return (
    <span
      className={classes.apart}
      style={{ left: percent(Math.min(one, other)), width: percent(Math.abs(other - one)) }}
      aria-hidden="true"
    >
      <span>
        {other > one ? '+' : '−'}
        {formatMs(Math.abs(other - one))}
      </span>
    </span>
  );
}

/** What is known of the request in either Visit. */
function PairDetails({ row, both }: { row: MatchedRow; both: readonly [SeenVisit, SeenVisit] }) {
  return both.map(({ visit, style }, place) => {
    const request = place === 0 ? row.first : row.second;
    return (
      <div key={place}>
        <ScenarioName name={visit.scenario} style={style} />
        {request ? <RequestDetails row={request} /> : <Text size="sm">This Visit did not request it.</Text>}
      </div>
    );
  });
}

/** A figure of the first above that of the second. */
function InBoth({
  row,
  value,
  format,
}: {
  row: MatchedRow;
  value: (request: WaterfallRow) => number | null;
  format: (value: number) => string;
}) {
  return [row.first, row.second].map((request, place) => {
    const figure = request && value(request);
    return (
      <div key={place} className={classes.figure}>
        {figure === null ? (
          <AbsentValue reason={request ? 'It is not known.' : 'This Visit did not request it.'} />
        ) : (
          format(figure)
        )}
      </div>
    );
  });
}

const urlOf = ({ first, second }: MatchedRow) => (first ?? second)!.url;

/** The filmstrips of both Visits, for the time axis of their requests. None where neither Visit has one. */
function pairStrips(both: readonly SeenVisit[], scales: readonly TimeScale[]): { name: ReactNode; strip: ReactNode }[] {
  if (both.every(({ looks }) => looks.length === 0)) return [];
  return both.map(({ visit, looks, noFilm, style }, index) => ({
    name: <ScenarioName name={visit.scenario} style={style} />,
    strip:
      visit.filmstrip?.kind === 'kept' && visit.snapshot ? (
        <Filmstrip
          looks={looks}
          leftOut={visit.filmstrip.leftOut}
          viewport={visit.snapshot.viewport}
          scale={scales[index]!}
        />
      ) : (
        <Text size="sm" c="dimmed">
          No film: {noFilm ?? 'none was asked for'}.
        </Text>
      ),
  }));
}
