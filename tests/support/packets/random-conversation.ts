import type { TcpFields } from './packet-bytes.ts';

export interface TimedSegment {
  atNs: number;
  fields: TcpFields;
}

export interface Ends {
  client: { address: string; port: number };
  server: { address: string; port: number };
}

/** From 0 to 1, as `Math.random`. */
export type Random = () => number;

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)]!;
}

const gapsNs = [100_000, 1_000_000, 2_500_000, 5_000_000, 15_000_000, 30_000_000, 300_000_000];
const shifts = [0, 0, 0, 0, 0, 0, 0, -1, -100, -10, -110, -200, 100, 200, 10, 1];

/** One end of an invented conversation. */
interface InventedEnd {
  /** Behind the furthest byte that was sent. */
  next: number;
  /** Behind what was sent without a gap: as much as the other end acknowledges. */
  gapless: number;
  acknowledged: number;
  window: number;
}

/**
 * Segments without much sense: repeated, out of order, overlapping, with holes, windows that close, ends and new beginnings. Only what
 * was seen is acknowledged, and the numbers may wrap.
 */
export function inventConversation(ends: Ends, random: Random): TimedSegment[] {
  const doesWrap = random() < 0.3;
  const initial = [doesWrap ? 0xffff_ff00 : 1000, doesWrap ? 0xffff_fff0 : 5000] as const;
  const begin = (own: number, other: number): InventedEnd => ({
    next: own + 1,
    gapless: own + 1,
    acknowledged: other + 1,
    window: 65_000,
  });
  let sides = [begin(initial[0], initial[1]), begin(initial[1], initial[0])] as const;
  const segments: TimedSegment[] = [];
  let atNs = 0;
  const send = (way: 0 | 1, fields: Pick<TcpFields, 'sequence' | 'flags'> & Partial<TcpFields>) => {
    atNs += pick(random, gapsNs) + Math.floor(random() * 1000);
    const [from, to] = way === 0 ? [ends.client, ends.server] : [ends.server, ends.client];
    const acknowledgement = fields.flags.includes('A') ? (fields.acknowledgement ?? 0) : 0;
    segments.push({
      atNs,
      fields: {
        source: from.address,
        sourcePort: from.port,
        destination: to.address,
        destinationPort: to.port,
        ...fields,
        acknowledgement,
      },
    });
  };
  const shakeHands = (client: number, server: number) => {
    send(0, { sequence: client, flags: 'S' });
    if (random() < 0.2) send(0, { sequence: client, flags: 'S' });
    send(1, { sequence: server, flags: 'SA', acknowledgement: client + 1 });
    if (random() < 0.9) send(0, { sequence: client + 1, flags: 'A', acknowledgement: server + 1 });
  };
  const sendData = (way: 0 | 1) => {
    const own = sides[way];
    const other = sides[way === 0 ? 1 : 0];
    const payloadBytes = pick(random, [0, 0, 0, 1, 10, 100, 100, 100]);
    const sequence = own.next + pick(random, shifts);
    const isEnd = random() < 0.03;
    const end = sequence + payloadBytes + (isEnd ? 1 : 0);
    own.acknowledged = pick(random, [
      own.acknowledged,
      own.acknowledged,
      own.acknowledged,
      other.gapless,
      other.gapless,
    ]);
    own.window = pick(random, [65_000, 65_000, 65_000, 1000, 0]);
    send(way, {
      sequence,
      flags: isEnd ? 'FA' : 'A',
      acknowledgement: own.acknowledged,
      window: own.window,
      payload: new Uint8Array(payloadBytes),
    });
    const isProbe = payloadBytes === 1 && sequence === own.next && other.window === 0;
    if (isProbe) return;
    if (sequence === own.gapless) own.gapless = Math.max(end, own.next);
    own.next = Math.max(own.next, end);
  };

  shakeHands(...initial);
  const length = 10 + Math.floor(random() * 40);
  for (let count = 0; count < length; count++) {
    const way = pick(random, [0, 1] as const);
    // tshark takes in the acknowledgement number of segments without ACK, and 0 may lie ahead of numbers that wrap.
    const chance = doesWrap ? 1 : random();
    if (chance < 0.02) send(way, { sequence: sides[way].next, flags: 'R' });
    else if (chance < 0.03)
      send(way, { sequence: sides[way].next, flags: 'RA', acknowledgement: sides[way].acknowledged });
    else if (chance < 0.04) {
      const again = [100_000 * count + 1000, 100_000 * count + 5000] as const;
      sides = [begin(again[0], again[1]), begin(again[1], again[0])];
      shakeHands(...again);
    } else sendData(way);
  }
  return segments;
}

/**
 * A download as TCP does it, seen near the client: windows of segments, an acknowledgement for every second one, and of the segments
 * some are lost before they are seen, and come again after duplicate acknowledgements or a timeout.
 */
export function inventDownload(
  ends: Ends,
  random: Random,
  { lossRatio }: { lossRatio: number } = { lossRatio: 0.06 },
): TimedSegment[] {
  const roundTripNs = Math.round((2 + random() * 60) * 1e6);
  const segmentBytes = 1448;
  const segmentCount = 20 + Math.floor(random() * 60);
  const initial = { client: Math.floor(random() * 2 ** 32), server: Math.floor(random() * 2 ** 32) };
  const up = {
    source: ends.client.address,
    sourcePort: ends.client.port,
    destination: ends.server.address,
    destinationPort: ends.server.port,
  };
  const down = {
    source: ends.server.address,
    sourcePort: ends.server.port,
    destination: ends.client.address,
    destinationPort: ends.client.port,
  };
  const request = new Uint8Array(300);
  const requestEnd = initial.client + 1 + request.length;
  const segments: TimedSegment[] = [
    { atNs: 0, fields: { ...up, sequence: initial.client, flags: 'S' } },
    {
      atNs: roundTripNs,
      fields: { ...down, sequence: initial.server, flags: 'SA', acknowledgement: initial.client + 1 },
    },
    {
      atNs: roundTripNs + 50_000,
      fields: { ...up, sequence: initial.client + 1, flags: 'A', acknowledgement: initial.server + 1 },
    },
    {
      atNs: roundTripNs + 90_000,
      fields: {
        ...up,
        sequence: initial.client + 1,
        flags: 'PA',
        acknowledgement: initial.server + 1,
        payload: request,
      },
    },
  ];
  const received = new Set<number>();
  let atNs = 2 * roundTripNs;
  let contiguous = 0;
  const acknowledge = () =>
    segments.push({
      atNs: (atNs += 20_000),
      fields: {
        ...up,
        sequence: requestEnd,
        flags: 'A',
        acknowledgement: initial.server + 1 + contiguous * segmentBytes,
      },
    });
  const receive = (index: number) => {
    const sequence = initial.server + 1 + index * segmentBytes;
    segments.push({
      atNs: (atNs += 100_000),
      fields: { ...down, sequence, flags: 'A', acknowledgement: requestEnd, payload: new Uint8Array(segmentBytes) },
    });
    const isInOrder = index === contiguous;
    received.add(index);
    while (received.has(contiguous)) contiguous++;
    if (!isInOrder || contiguous % 2 === 0) acknowledge();
  };
  let sent = 0;
  while (contiguous < segmentCount) {
    const window = Math.min(10, segmentCount - sent);
    for (let count = 0; count < window; count++, sent++) {
      if (random() < lossRatio) continue; // lost on its way to where we look
      receive(sent);
      if (random() < lossRatio / 3) receive(sent); // and one that the network doubles
    }
    for (let index = contiguous; index < sent; index++) {
      if (received.has(index)) continue;
      atNs += random() < 0.7 ? roundTripNs : 200_000_000 + roundTripNs;
      receive(index);
    }
    atNs += roundTripNs;
  }
  const end = initial.server + 1 + segmentCount * segmentBytes;
  segments.push(
    { atNs: (atNs += 50_000), fields: { ...down, sequence: end, flags: 'FA', acknowledgement: requestEnd } },
    { atNs: (atNs += 50_000), fields: { ...up, sequence: requestEnd, flags: 'FA', acknowledgement: end + 1 } },
    { atNs: atNs + roundTripNs, fields: { ...down, sequence: end + 1, flags: 'A', acknowledgement: requestEnd + 1 } },
  );
  return segments;
}
