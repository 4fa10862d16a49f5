import { startEpochNs } from '#tests/support/packets/measure.ts';
import { frames, ipBytes, joinBytes, tcpBytes, udpBytes } from '#tests/support/packets/packet-bytes.ts';
import {
  applicationProtocols,
  chosenVersion,
  clientHello,
  padding,
  serverHello,
} from '#tests/support/packets/tls-bytes.ts';
import { pcapBytes, pcapngBytes, type TracePacket } from '#tests/support/packets/trace-bytes.ts';
import { editBytes } from '../../support/edits.ts';
import type { Frame, Payload, TraceModel, Transport } from './trace-model.ts';

const protocols = { tcp: 6, udp: 17 } as const;
const serverPort = 443;
const flagLetters = ['F', 'S', 'R', 'P', 'A'];

/** The bytes of the trace, every length as it must be but for those that the model makes wrong. */
export function encodeTrace(model: TraceModel): Uint8Array {
  const { linkType, wrap } = { ...frames[model.link]!, ...(model.linkType !== null && { linkType: model.linkType }) };
  let epochNs = startEpochNs;
  const packets = model.packets.map(({ afterNs, interfaceIndex, wireDelta, frame }): TracePacket => {
    epochNs += BigInt(afterNs);
    const bytes = joinBytes(wrap(encodeIp(frame, model.firstSequence)), new Uint8Array(frame.paddingBytes));
    return {
      epochNs,
      interfaceIndex: model.isTwoSections ? interfaceIndex % 2 : interfaceIndex,
      bytes,
      wireBytes: Math.max(0, bytes.length + wireDelta),
    };
  });
  const { littleEndian, timeDigits, snapBytes, isTwoSections, packetBlock, timeOffsetS, timeResolution } = model;
  const shape = { littleEndian, timeDigits, snapBytes, linkTypes: [linkType, linkType, 101] };
  if (model.format === 'pcap') return pcapBytes(shape, packets);
  return pcapngBytes(
    {
      ...shape,
      isTwoSections,
      packetBlock,
      timeOffsetS: BigInt(timeOffsetS),
      ...(timeResolution !== null && { timeResolution }),
    },
    packets,
  );
}

function encodeIp(frame: Frame, firstSequence: number): Uint8Array {
  const { source, destination, transport, fragment, lengthDelta, extensions } = frame;
  const isSix = source.includes(':');
  // Both addresses must be of one kind.
  const ends = { source, destination: isSix === destination.includes(':') ? destination : source };
  const body = encodeTransport(transport, firstSequence);
  const protocol = transport.kind === 'other' ? transport.protocol : protocols[transport.kind];
  if (!isSix)
    return ipBytes(
      {
        ...ends,
        protocol,
        fragment,
        ...(lengthDelta !== 0 && { totalBytes: Math.max(0, 20 + body.length + lengthDelta) }),
      },
      body,
    );
  const [first, wrapped] = extensions.reduceRight<[number, Uint8Array]>(
    ([next, inner], { header, words }) => [
      header,
      joinBytes(Uint8Array.of(next, words), new Uint8Array(6 + 8 * words), inner),
    ],
    [protocol, body],
  );
  return ipBytes({ ...ends, protocol: first }, wrapped);
}

function encodeTransport(transport: Transport, firstSequence: number): Uint8Array {
  const payload = encodePayload(transport.payload);
  if (transport.kind === 'other') return payload;
  const [sourcePort, destinationPort] = transport.isFromServer
    ? [serverPort, transport.port]
    : [transport.port, serverPort];
  if (transport.kind === 'udp') return udpBytes(sourcePort, destinationPort, payload);
  const { sequence, acknowledgement, flags, window, optionBytes, headerDelta } = transport;
  const bytes = tcpBytes({
    source: '',
    destination: '',
    sourcePort,
    destinationPort,
    payload,
    window: window * 30_000,
    sequence: firstSequence + sequence,
    acknowledgement: firstSequence + acknowledgement,
    flags: flagLetters.filter((_, bit) => (flags >> bit) & 1).join(''),
    options: new Uint8Array(4 * optionBytes),
  });
  bytes[12] = Math.min(15, Math.max(0, 5 + optionBytes + headerDelta)) << 4;
  return bytes;
}

function encodePayload(payload: Payload): Uint8Array {
  switch (payload.kind) {
    case 'bytes':
      return new Uint8Array(payload.length).fill(payload.fill);
    case 'quic':
      return joinBytes(
        Uint8Array.of(
          payload.first,
          payload.version >>> 24,
          payload.version >>> 16,
          payload.version >>> 8,
          payload.version,
          payload.idBytes,
        ),
        new Uint8Array(payload.length),
      );
    case 'hello': {
      const { sender, version, protocols: names, recordBytes, from, until, edits } = payload;
      const extensions = [
        ...(payload.paddingBytes > 0 ? [padding(payload.paddingBytes)] : []),
        ...(names === null ? [] : [applicationProtocols(...names)]),
        ...(payload.chosenVersion === null ? [] : [chosenVersion(payload.chosenVersion)]),
      ];
      const hello = sender === 'client' ? clientHello(extensions, recordBytes) : serverHello(extensions, version);
      return editBytes(hello, edits).slice(from, until);
    }
  }
}
