import type { CaptureCounters } from './packet-source.ts';

/** What tcpdump says at its end. It leaves out the interface's drops when there were none. Throws when it did not say it. */
export function readTcpdumpCounters(words: string): CaptureCounters {
  const readCount = (what: string) => {
    const match = new RegExp(`^(\\d+) packets? ${what}`, 'm').exec(words);
    return match === null ? null : Number(match[1]);
  };
  const receivedPackets = readCount('received by filter');
  const droppedByKernel = readCount('dropped by kernel');
  if (receivedPackets === null || droppedByKernel === null)
    throw new Error(`tcpdump ended without its counters: ${words.trim().split('\n').at(-1)!}`);
  return { receivedPackets, droppedByKernel, droppedByInterface: readCount('dropped by interface') ?? 0 };
}
