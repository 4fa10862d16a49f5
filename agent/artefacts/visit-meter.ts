import { readUint16 } from '#core/packets/decode/byte-order.ts';
import { decodePacket } from '#core/packets/decode/decode-packet.ts';
import { makeDecodedPacket, protocols } from '#core/packets/decode/decoded-packet.ts';
import { FlowTable } from '#core/packets/decode/flow-table.ts';
import type { PacketRecord } from '#core/packets/trace/packet-record.ts';
import { tcpFlags } from '#core/packets/tcp/tcp-segment.ts';
import { TraceReader } from '#core/packets/trace/trace-reader.ts';
import type { VisitWire } from '#core/protocol/capture.ts';
import type { VisitTime } from '../spool/capture-spool.ts';

const portBytes = 4;

/** What of a trace fell in the time of each Visit. Push the trace in chunks of any size, then finish. The Visits are in the order of their times. */
export class VisitMeter {
  private readonly reader = new TraceReader((record) => this.add(record));
  private readonly decoded = makeDecodedPacket();
  private readonly flows = new FlowTable();
  private flowCount = 0;
  private readonly visits: (VisitTime & { packets: number; bytes: number; flows: Set<number> })[];
  /** Where the last packet fell: the next one is near. */
  private place = 0;

  private readonly firstPort: number | null;
  private firstPacketEpochMs: number | null = null;

  /** `firstPort`: where the first packet of the first Visit goes to, where that is to be found. */
  constructor(visits: readonly VisitTime[], firstPort: number | null = null) {
    this.firstPort = firstPort;
    this.visits = visits.map((visit) => ({ ...visit, packets: 0, bytes: 0, flows: new Set() }));
  }

  push(bytes: Uint8Array): void {
    this.reader.push(bytes);
  }

  finish(): { visits: Record<string, VisitWire>; firstPacketEpochMs: number | null } {
    const visits = Object.fromEntries(this.visits.map(({ visitId, packets, bytes, flows }) => [visitId, { packets, bytes, connections: flows.size }]));
    return { visits, firstPacketEpochMs: this.firstPacketEpochMs };
  }

  private add(record: PacketRecord): void {
    const epochMs = record.epochSeconds * 1000 + record.nanoseconds / 1e6;
    const visit = this.find(epochMs);
    if (visit === null) return;
    visit.packets++;
    visit.bytes += record.originalBytes;
    decodePacket(record, this.decoded);
    const { outcome, protocol, transportOffset, capturedEnd } = this.decoded;
    if (outcome !== 'transport' || transportOffset + portBytes > capturedEnd) return;
    // SYN or first datagram. Another connection may have left its last packets in the Visit: they go to another port, or do not open one.
    if (this.firstPacketEpochMs === null && visit === this.visits[0] && this.isFirst(record)) this.firstPacketEpochMs = epochMs;
    if (protocol !== protocols.tcp) return;
    visit.flows.add(this.findFlow(record));
  }

  private isFirst({ bytes }: PacketRecord): boolean {
    const { protocol, transportOffset, capturedEnd } = this.decoded;
    if (readUint16(bytes, transportOffset + 2) !== this.firstPort) return false;
    if (protocol === protocols.udp) return true;
    const flagsOffset = transportOffset + 13;
    return protocol === protocols.tcp && flagsOffset < capturedEnd && (bytes[flagsOffset]! & (tcpFlags.syn | tcpFlags.ack)) === tcpFlags.syn;
  }

  private findFlow(record: PacketRecord): number {
    const known = this.flows.find(record.bytes, this.decoded);
    if (known !== undefined) return known;
    this.flows.set(this.flowCount);
    return this.flowCount++;
  }

  private find(epochMs: number) {
    const { visits } = this;
    while (this.place + 1 < visits.length && visits[this.place + 1]!.startedEpochMs <= epochMs) this.place++;
    while (this.place > 0 && visits[this.place]!.startedEpochMs > epochMs) this.place--;
    const visit = visits[this.place];
    return visit && visit.startedEpochMs <= epochMs && epochMs <= visit.endedEpochMs ? visit : null;
  }
}
