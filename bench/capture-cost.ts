import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildCaptureFilter } from '#agent/capture/build-capture-filter.ts';
import { startCapture } from '#agent/capture/start-capture.ts';
import { openSession } from '#tests/browser/support/open-session.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit-for-snapshot.ts';
import { estimateMedian } from './support/interval-of-median.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * What a capture costs the page: its total page load latency with one on and without, in turn in the same browser, on a page of 30 images
 * over loopback, where every packet is seen twice: `node bench/capture-cost.ts [PAIRS]`, as root. Starts and ends of captures are not in the times.
 */
const pairCount = Number(process.argv[2] ?? 60);
const unmeasuredPairs = 3;
const address = '127.0.0.1';

const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-bench-'));
let packets = 0;
let dropped = 0;
try {
  await using origin = await startOriginProcess();
  await using session = await openSession({ pageLoad: { restMs: 400, quietMs: 200 } });
  const url = `${origin.httpUrl}/images/30`;

  const measureTotalMs = async () => valueOf(await takeSnapshot(session, url), 'totalMs');
  const measureCaptured = async () => {
    const options = {
      interface: 'lo',
      filter: buildCaptureFilter({ addresses: [address] }),
      file: path.join(folder, 'trace.pcap'),
      localAddresses: [address],
    };
    await using capture = await startCapture(options);
    const totalMs = await measureTotalMs();
    const { statistics, droppedByKernel, droppedByInterface } = await capture.stop();
    packets += statistics.packets;
    dropped += droppedByKernel + droppedByInterface;
    return totalMs;
  };

  const withCapture: number[] = [];
  const without: number[] = [];
  for (let pair = -unmeasuredPairs; pair < pairCount; pair++) {
    const isCapturedFirst = pair % 2 === 0;
    const first = isCapturedFirst ? await measureCaptured() : await measureTotalMs();
    const second = isCapturedFirst ? await measureTotalMs() : await measureCaptured();
    if (pair < 0) continue;
    withCapture.push(isCapturedFirst ? first : second);
    without.push(isCapturedFirst ? second : first);
  }

  const describe = (values: number[], digits: number) => {
    const { median, low, high } = estimateMedian(values);
    return { median: median.toFixed(digits), '95 % interval': `${low.toFixed(digits)} … ${high.toFixed(digits)}` };
  };
  console.log(
    `Total page load latency of a page of 30 images, ${pairCount} pairs; ${Math.round(packets / (pairCount + unmeasuredPairs))} packets captured per Visit, ${dropped} dropped in all`,
  );
  console.table({
    'without capture, ms': describe(without, 1),
    'with capture, ms': describe(withCapture, 1),
    'difference in a pair, ms': describe(
      withCapture.map((value, index) => value - without[index]!),
      1,
    ),
    'ratio in a pair': describe(
      withCapture.map((value, index) => value / without[index]!),
      3,
    ),
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
