import { expect, test } from 'vitest';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { handshake, measure, plainShape, tracePackets, type Step } from '#tests/support/packets/measure.ts';
import { pcapBytes } from '#tests/support/packets/trace-bytes.ts';
import type { Wireshark } from './wireshark.ts';

const answer = new TextEncoder().encode('HTTP/1.1 204 No Content\r\n\r\n');

/** Requests one after the other, some of them pipelined, some sent again, each answered. */
function inventRequests(random: () => number): Step[] {
  const steps = handshake();
  let [sequence, acknowledgement, atMs] = [1001, 5001, 20];
  for (let index = 0; index < 30; index++) {
    const count = random() < 0.2 ? 3 : 1;
    const head = `Host: origin.test\r\nX-Filler: ${'f'.repeat(Math.floor(random() * 300))}\r\n\r\n`;
    const text = Array.from({ length: count }, (_, each) => `GET /${index}/${each} HTTP/1.1\r\n${head}`).join('');
    const payload = new TextEncoder().encode(text);
    const request: Step = { atMs, way: '>', flags: 'A', sequence, acknowledgement, payload };
    steps.push(request);
    if (random() < 0.2) steps.push({ ...request, atMs: atMs + 300 });
    sequence += payload.length;
    for (let each = 0; each < count; each++) {
      steps.push({
        atMs: atMs + 400 + each,
        way: '<',
        flags: 'A',
        sequence: acknowledgement,
        acknowledgement: sequence,
        payload: answer,
      });
      acknowledgement += answer.length;
    }
    atMs += 500;
  }
  return steps;
}

/** That as many requests are found in packets as tshark finds. */
export function compareRequests(wireshark: Wireshark): void {
  test.for([1, 2, 3, 4, 5])('requests are as many as tshark finds, in trace %d', async (seed) => {
    const trace = pcapBytes(plainShape, tracePackets(inventRequests(createRandom(seed))));
    const uris = new Set(await wireshark.readRequestUris(trace));
    expect(uris.size).toBeGreaterThan(30);
    expect(measure(trace).tcp!.httpRequests).toBe(uris.size);
  });
}
