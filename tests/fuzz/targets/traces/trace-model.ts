import { z } from 'zod';
import { ByteEditSchema } from '../../support/edits.ts';

const byte = z.int().min(0).max(255);
const addresses = z.enum(['10.0.0.1', '10.0.0.2', '2001:db8::1', '2001:db8::2']);
const names = z.array(z.string().max(20)).max(4);

/** What a TCP segment or a datagram carries. Its lengths are computed, `edits` change it after that. */
const PayloadSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bytes'), length: z.int().min(0).max(1500), fill: byte }),
  z.strictObject({
    kind: z.literal('hello'),
    sender: z.enum(['client', 'server']),
    version: z.int().min(0x0300).max(0x0305),
    protocols: names.nullable(),
    chosenVersion: z.int().min(0x0300).max(0x0305).nullable(),
    paddingBytes: z.int().min(0).max(600),
    /** The handshake is cut into records of so many bytes. */
    recordBytes: z.int().min(1).max(16_384),
    /** Only the bytes from one to the other, as a segment may have them. */
    from: z.int().min(0).max(600),
    until: z.int().min(0).max(2000),
    edits: z.array(ByteEditSchema).max(3),
  }),
  z.strictObject({
    kind: z.literal('quic'),
    first: byte,
    version: z.int().min(0).max(0xffff_ffff),
    idBytes: byte,
    length: z.int().min(0).max(100),
  }),
]);

const TransportSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('tcp'),
    /** The two ends are few, so that segments make connections. */
    isFromServer: z.boolean(),
    port: z.int().min(40_000).max(40_002),
    sequence: z.int().min(0).max(4000),
    acknowledgement: z.int().min(0).max(4000),
    flags: byte,
    window: z.int().min(0).max(2),
    optionBytes: z.int().min(0).max(10),
    /** Added to the length that the header states, in words. */
    headerDelta: z.int().min(-6).max(6),
    payload: PayloadSchema,
  }),
  z.strictObject({
    kind: z.literal('udp'),
    isFromServer: z.boolean(),
    port: z.int().min(40_000).max(40_002),
    payload: PayloadSchema,
  }),
  z.strictObject({ kind: z.literal('other'), protocol: byte, payload: PayloadSchema }),
]);

const FrameSchema = z.strictObject({
  source: addresses,
  destination: addresses,
  /** IPv4: flags and offset. */
  fragment: z.int().min(0).max(0xffff),
  /** Added to the length that IPv4 states. */
  lengthDelta: z.int().min(-40).max(40),
  /** IPv6: extension headers by their numbers, with the bytes of each beyond the first 8. */
  extensions: z.array(z.strictObject({ header: z.int().min(0).max(255), words: z.int().min(0).max(3) })).max(4),
  transport: TransportSchema,
  paddingBytes: z.int().min(0).max(20),
});

export const linkNames = ['ethernet', 'vlan', 'qinq', 'cooked', 'cooked2', 'raw', 'ppp', 'null', 'loop'] as const;

/** A trace as its parts: what a change of one means for the lengths of the others is worked out when it is written. */
export const TraceModelSchema = z.strictObject({
  format: z.enum(['pcap', 'pcapng']),
  littleEndian: z.boolean(),
  timeDigits: z.literal([6, 9]),
  link: z.enum(linkNames),
  /** Instead of the number of the link. */
  linkType: z.int().min(0).max(0xffff_ffff).nullable(),
  snapBytes: z.int().min(0).max(2000),
  timeResolution: byte.nullable(),
  timeOffsetS: z.int().min(-1_000_000).max(1_000_000),
  isTwoSections: z.boolean(),
  packetBlock: z.enum(['enhanced', 'simple', 'old']),
  /** The sequence numbers of each side count from here. */
  firstSequence: z.int().min(0).max(0xffff_ffff),
  packets: z
    .array(
      z.strictObject({
        afterNs: z.int().min(-100_000_000).max(3_000_000_000),
        interfaceIndex: z.int().min(0).max(2),
        wireDelta: z.int().min(-60).max(2000),
        frame: FrameSchema,
      }),
    )
    .max(40),
  localAddresses: z.array(addresses).max(2),
  chunkBytes: z.int().min(1).max(4000),
  edits: z.array(ByteEditSchema).max(8),
});
export type TraceModel = z.infer<typeof TraceModelSchema>;
export type Frame = z.infer<typeof FrameSchema>;
export type Payload = z.infer<typeof PayloadSchema>;
export type Transport = z.infer<typeof TransportSchema>;
