import { decodePacket } from '#core/packets/decode/decode-packet.ts';
import { makeDecodedPacket, protocols } from '#core/packets/decode/decoded-packet.ts';
import { FlowTable } from '#core/packets/decode/flow-table.ts';
import { makeTcpSegment, readTcpSegment } from '#core/packets/tcp/tcp-segment.ts';
import type { PacketRecord } from '#core/packets/trace/packet-record.ts';
import { TraceReader } from '#core/packets/trace/trace-reader.ts';
import type { VisitWire } from '#core/protocol/capture.ts';
import type { VisitTime } from '../spool/capture-spool.ts';
import { VisitConnection } from './visit-connection.ts';

interface MeteredVisit extends VisitTime {
  packets: number;
  bytes: number;
}

/**
 * What of a trace belongs to each Visit. Where every Visit has connections of its own, all packets of a connection belong to the Visit that opened it,
 * also those that close it after the Visit; all others belong to the Visit in whose time they fall. Push the trace in chunks of any size, then finish.
 * The Visits are in the order of their times.
 */
export class VisitMeter {
  private readonly reader = new TraceReader((record) => this.add(record));
  private readonly decoded = makeDecodedPacket();
  private readonly segment = makeTcpSegment();
  private readonly flows = new FlowTable();
  private readonly connections: VisitConnection<MeteredVisit>[] = [];
  private readonly visits: MeteredVisit[];
  private readonly keepsConnections: boolean;
  /** Where the last packet fell: the next one is near. */
  private place = 0;

  /** `keepsConnections`: from one Visit to the next, as a warm Pass does. */
  constructor(visits: readonly VisitTime[], { keepsConnections }: { keepsConnections: boolean }) {
    this.visits = visits.map((visit) => ({ ...visit, packets: 0, bytes: 0 }));
    this.keepsConnections = keepsConnections;
  }

  push(bytes: Uint8Array): void {
    this.reader.push(bytes);
  }

  finish(): Record<string, VisitWire> {
    const openedBy = Map.groupBy(this.connections, ({ openedIn }) => openedIn);
    return Object.fromEntries(
      this.visits.map((visit) => {
        const opened = openedBy.get(visit) ?? [];
        const unused = opened.filter(({ hasRequest }) => !hasRequest);
        return [visit.visitId, { packets: visit.packets, bytes: visit.bytes, openedConnections: opened.length, unusedConnections: unused.length }];
      }),
    );
  }

  private add(record: PacketRecord): void {
    const current = this.find(record.epochSeconds * 1000 + record.nanoseconds / 1e6);
    const connection = this.findConnection(record, current);
    const visit = connection === null || this.keepsConnections ? current : connection.openedIn;
    if (visit === null) return;
    visit.packets++;
    visit.bytes += record.originalBytes;
  }

  /** Null for a packet that is not of TCP, or whose header is not whole. */
  private findConnection(record: PacketRecord, current: MeteredVisit | null): VisitConnection<MeteredVisit> | null {
    const { decoded, segment, flows } = this;
    decodePacket(record, decoded);
    if (decoded.outcome !== 'transport' || decoded.protocol !== protocols.tcp || readTcpSegment(record.bytes, decoded, segment) !== 'read') return null;
    const index = flows.find(record.bytes, decoded);
    const { isForward } = flows;
    let connection = index === undefined ? null : this.connections[index]!;
    if (connection === null || connection.isFollowedBy(segment)) {
      connection = new VisitConnection({ openedIn: current, segment, isForward });
      flows.set(this.connections.push(connection) - 1);
    }
    connection.add(segment, { bytes: record.bytes, packet: decoded, isForward });
    return connection;
  }

  private find(epochMs: number): MeteredVisit | null {
    const { visits } = this;
    while (this.place + 1 < visits.length && visits[this.place + 1]!.startedEpochMs <= epochMs) this.place++;
    while (this.place > 0 && visits[this.place]!.startedEpochMs > epochMs) this.place--;
    const visit = visits[this.place];
    return visit && visit.startedEpochMs <= epochMs && epochMs <= visit.endedEpochMs ? visit : null;
  }
}
