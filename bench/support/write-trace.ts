import { open, type FileHandle } from 'node:fs/promises';
import { frames, tcpPacket, type TcpFields } from '#tests/support/packets/packet-bytes.ts';
import { pcapBytes, type TracePacket } from '#tests/support/packets/trace-bytes.ts';
import { plainShape, startEpochNs } from '#tests/support/packets/measure.ts';

const segmentBytes = 1448;
const stepsPerConnection = 400;
const connectionsAtOnce = 32;
const packetEveryNs = 4_000n;
const batchPackets = 4_096;
const fileHeaderBytes = 24;

/**
 * Writes a pcap trace such as browsers make: downloads side by side, each with its handshake, an acknowledgement for every second full
 * segment, one segment in a hundred sent twice, and its end. Returns the number of its packets.
 */
export async function writeTrace(file: string, sizeBytes: number): Promise<number> {
  await using handle = await open(file, 'w');
  await handle.write(pcapBytes(plainShape, []));
  const streams = Array.from({ length: connectionsAtOnce }, (_, index) => downloads(index));
  let written = fileHeaderBytes;
  let count = 0;
  while (written < sizeBytes) {
    const packets: TracePacket[] = [];
    while (packets.length < batchPackets) {
      const fields = streams[count % connectionsAtOnce]!.next().value;
      packets.push({
        epochNs: startEpochNs + packetEveryNs * BigInt(count++),
        bytes: frames.ethernet!.wrap(tcpPacket(fields)),
      });
    }
    written += await append(handle, packets);
  }
  return count;
}

async function append(handle: FileHandle, packets: TracePacket[]): Promise<number> {
  const { bytesWritten } = await handle.write(pcapBytes(plainShape, packets).subarray(fileHeaderBytes));
  return bytesWritten;
}

/** One download after the other, each from a port of its own. */
function* downloads(user: number): Generator<TcpFields, never> {
  for (let number = 0; ; number++) {
    const client = { address: `10.0.${number >> 14}.${user + 1}`, port: 10_000 + (number & 0x3fff) };
    const server = { address: '192.0.2.1', port: 443 };
    const up = {
      source: client.address,
      sourcePort: client.port,
      destination: server.address,
      destinationPort: server.port,
    };
    const down = {
      source: server.address,
      sourcePort: server.port,
      destination: client.address,
      destinationPort: client.port,
    };
    const payload = new Uint8Array(segmentBytes);
    yield { ...up, sequence: 1000, flags: 'S' };
    yield { ...down, sequence: 5000, flags: 'SA', acknowledgement: 1001 };
    yield { ...up, sequence: 1001, flags: 'A', acknowledgement: 5001 };
    yield { ...up, sequence: 1001, flags: 'PA', acknowledgement: 5001, payload: payload.subarray(0, 300) };
    let next = 5001;
    for (let step = 0; step < stepsPerConnection; step++) {
      if (step % 3 === 2) yield { ...up, sequence: 1301, flags: 'A', acknowledgement: next };
      else if (step % 100 === 49)
        yield { ...down, sequence: next - segmentBytes, flags: 'A', acknowledgement: 1301, payload };
      else {
        yield { ...down, sequence: next, flags: 'A', acknowledgement: 1301, payload };
        next += segmentBytes;
      }
    }
    yield { ...down, sequence: next, flags: 'FA', acknowledgement: 1301 };
    yield { ...up, sequence: 1301, flags: 'FA', acknowledgement: next + 1 };
    yield { ...down, sequence: next + 1, flags: 'A', acknowledgement: 1302 };
  }
}
