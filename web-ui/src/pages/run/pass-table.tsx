import { Progress, Table, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { RoundProgress } from '#core/protocol/api/run.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { MeasuredUrl } from '../../components/measured-url.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/terms/term.tsx';
import { plainRows, VirtualRows } from '../../components/virtual-rows.tsx';
import { formatNumber } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';
import { CapturePanel } from './capture-panel.tsx';
import { describeFailures } from './describe-failures.ts';
import { describeFaults } from './round-slots.ts';
import { PacketsButton } from './packets-button.tsx';
import classes from './pass-table.module.css';

type PassProgress = RoundProgress['passes'][number];

interface PassTableProps {
  passes: PassProgress[];
  /** Whether the Round is under way, so that the last Visit of each Pass is shown. */
  isLive: boolean;
}

/** Of a row whose packets are not shown. */
const rowHeightPx = 46;

/** The line of each User Agent. Many scroll in a frame of their own. */
export function PassTable({ passes, isLive }: PassTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  const isLong = passes.length > plainRows;
  const table = (
    <Table layout="fixed" miw={740} stickyHeader={isLong} aria-rowcount={passes.length + 1}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={160}>
            <Term of="userAgent">User Agent</Term>
          </Table.Th>
          <Table.Th w={130}>
            <Term of="host">Host</Term>
          </Table.Th>
          <Table.Th w={110}>
            <Term of="pass">Pass</Term>
          </Table.Th>
          <Table.Th w={170}>
            <Term of="visit">Visits</Term>
          </Table.Th>
          <Table.Th>{isLive ? 'Loading' : 'Problem'}</Table.Th>
          <Table.Th w={100} className="numeric">
            {isLive ? <Term metric="totalMs">Last total</Term> : <Term of="capture">Capture</Term>}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <VirtualRows rows={passes} rowHeightPx={rowHeightPx} columns={6} scroller={scroller}>
        {(pass) => (
          <PassRow
            key={pass.id}
            pass={pass}
            isLive={isLive}
            isOpen={open.has(pass.id)}
            onToggle={() => toggle(pass.id)}
          />
        )}
      </VirtualRows>
    </Table>
  );
  if (!isLong) return <Table.ScrollContainer minWidth={740}>{table}</Table.ScrollContainer>;
  return (
    <div ref={scroller} className={classes.long} tabIndex={0} role="region" aria-label="User Agents of the Round">
      {table}
    </div>
  );
}

interface PassRowProps {
  pass: PassProgress;
  isLive: boolean;
  /** Whether its packets are shown. */
  isOpen: boolean;
  onToggle: () => void;
}

function PassRow({ pass, isLive, isOpen, onToggle }: PassRowProps) {
  const { visitsMade, visitsExpected, currentUrl } = pass;
  const faults = describeFaults(pass);
  const problem = pass.problem ?? describeFailures([pass]);
  return (
    <>
      <Table.Tr>
        <Table.Th scope="row">
          <Text fw={600} size="sm" truncate title={pass.userAgent}>
            {pass.userAgent}
          </Text>
        </Table.Th>
        <Table.Td>
          <Text size="sm" truncate title={pass.agent}>
            {pass.agent}
          </Text>
        </Table.Td>
        <Table.Td>
          <StateDot state={dots[pass.state]} label={pass.state} />
        </Table.Td>
        <Table.Td>
          <Text size="sm">
            {formatNumber(visitsMade)} of {formatNumber(visitsExpected)}
            {faults && (
              <Text span inherit c="var(--mantine-color-error)">
                , {faults}
              </Text>
            )}
          </Text>
          <Progress value={(100 * visitsMade) / visitsExpected} size={4} color="gray" aria-hidden="true" />
        </Table.Td>
        <Table.Td>
          {problem !== null ? (
            <Text size="sm" c="var(--mantine-color-error)" lineClamp={2} title={problem}>
              {problem}
            </Text>
          ) : (
            isLive && (
              <Text size="sm" truncate>
                {currentUrl === null ? (
                  <AbsentValue reason={nothingNow[pass.state]} />
                ) : (
                  <MeasuredUrl url={currentUrl} />
                )}
              </Text>
            )
          )}
        </Table.Td>
        <Table.Td className="numeric">
          {isLive ? (
            <LastTotal pass={pass} />
          ) : pass.captureAbsence !== null ? (
            <AbsentValue reason={`No packets: ${pass.captureAbsence}`} />
          ) : (
            <PacketsButton whose={`of ${pass.userAgent}`} isOpen={isOpen} onToggle={onToggle} />
          )}
        </Table.Td>
      </Table.Tr>
      {isOpen && !isLive && (
        <Table.Tr>
          <Table.Td colSpan={6}>
            <CapturePanel owner={{ kind: 'pass', id: pass.id }} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function LastTotal({ pass: { lastUrl, lastTotalMs } }: { pass: PassProgress }) {
  if (lastTotalMs !== null) return formatMs(lastTotalMs);
  return <AbsentValue reason={lastUrl === null ? nothingYet : 'This Visit has no total page load latency.'} />;
}

const nothingNow = {
  ordered: 'Its browser is starting.',
  ready: 'It waits for the common start.',
  running: 'All its Visits are done.',
  ended: 'All its Visits are done.',
  completed: 'All its Visits are done.',
  lost: 'It was lost.',
} as const;
const nothingYet = 'No Visit of this Pass has ended yet.';
const dots = {
  ordered: 'idle',
  ready: 'active',
  running: 'active',
  ended: 'active',
  completed: 'good',
  lost: 'bad',
} as const;
