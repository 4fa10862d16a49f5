import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { handshake, measure, plainShape, tracePackets, type Step } from '#tests/support/packets/measure.ts';
import { pcapBytes } from '#tests/support/packets/trace-bytes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const run = promisify(execFile);
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

test.for([1, 2, 3, 4, 5])('requests are as many as tshark finds, in trace %d', async (seed) => {
  await using folder = await makeTemporaryFolder();
  const trace = pcapBytes(plainShape, tracePackets(inventRequests(createRandom(seed))));
  const file = path.join(folder.path, 'requests.pcap');
  await writeFile(file, trace);
  const { stdout } = await run('tshark', [
    '-n',
    '-r',
    file,
    '-Y',
    'http.request',
    '-T',
    'fields',
    '-e',
    'http.request.uri',
  ]);
  // A packet with several has them all in its line.
  const uris = new Set(stdout.split(/[\n,]/).filter(Boolean));
  expect(uris.size).toBeGreaterThan(30);
  expect(measure(trace).tcp!.httpRequests).toBe(uris.size);
});
