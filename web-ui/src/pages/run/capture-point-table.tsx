import { Code, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { RoundProgress } from '#core/protocol/api/run.ts';
import { Term } from '../../components/terms/term.tsx';
import { CapturePanel } from './capture-panel.tsx';
import { PacketsButton } from './packets-button.tsx';

type Point = RoundProgress['capturePoints'][number];

interface CapturePointTableProps {
  points: Point[];
  /** Whether the Round is under way, so that there is no Capture to show yet. */
  isLive: boolean;
}

/** Where else packets were captured in a Round. */
export function CapturePointTable({ points, isLive }: CapturePointTableProps) {
  return (
    <Table.ScrollContainer minWidth={740}>
      <Table layout="fixed" aria-label="Capture Points">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={180}>
              <Term of="capturePoint">Capture Point</Term>
            </Table.Th>
            <Table.Th w={150}>
              <Term of="host">Host</Term>
            </Table.Th>
            <Table.Th w={120}>Interface</Table.Th>
            <Table.Th>Filter</Table.Th>
            <Table.Th w={110} className="numeric">
              {!isLive && <Term of="capture">Capture</Term>}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.map((point) => (
            <PointRow key={point.id} point={point} isLive={isLive} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function PointRow({ point, isLive }: { point: Point; isLive: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Table.Tr>
        <Table.Th scope="row">
          <Text fw={600} size="sm" truncate title={point.name}>
            {point.name}
          </Text>
        </Table.Th>
        <Table.Td>
          <Text size="sm" truncate title={point.agent}>
            {point.agent}
          </Text>
        </Table.Td>
        <Table.Td>
          <Text size="sm">{point.interface}</Text>
        </Table.Td>
        <Table.Td>{point.filter === '' ? <Text size="sm">every packet</Text> : <Code>{point.filter}</Code>}</Table.Td>
        <Table.Td className="numeric">
          {!isLive && <PacketsButton whose={`at ${point.name}`} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
        </Table.Td>
      </Table.Tr>
      {isOpen && !isLive && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <CapturePanel owner={{ kind: 'point', id: point.id }} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
