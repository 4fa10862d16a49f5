import { openSession } from '#tests/browser/support/open-session.ts';
import { takeSnapshot } from '#tests/browser/support/visit-for-snapshot.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * How many Visits one browser makes in a second, with a page of 10 images: `node bench/visits-per-second.ts [VISITS]`. The rest
 * before each Visit and the quiet after it are chosen, not cost: with and without them.
 */
const visitCount = Number(process.argv[2] ?? 20);

await using origin = await startOriginProcess();

async function measureRate(cache: 'cold' | 'warm', waits: { restMs: number; quietMs: number }): Promise<number> {
  await using session = await openSession({ pageLoad: { cache, ...waits } });
  const url = `${origin.httpUrl}/images/10`;
  await takeSnapshot(session, url);
  const startMs = performance.now();
  for (let index = 0; index < visitCount; index++) await takeSnapshot(session, url);
  return visitCount / ((performance.now() - startMs) / 1000);
}

const asConfigured = { restMs: 400, quietMs: 500 };
const leastWaits = { restMs: 0, quietMs: 50 };
const rates = [
  { visits: 'cold', waits: 'as by default', rate: await measureRate('cold', asConfigured) },
  { visits: 'warm', waits: 'as by default', rate: await measureRate('warm', asConfigured) },
  { visits: 'cold', waits: 'least', rate: await measureRate('cold', leastWaits) },
  { visits: 'warm', waits: 'least', rate: await measureRate('warm', leastWaits) },
];
const [first] = rates;
console.log(`Visits per second of one browser, a page of 10 images, ${visitCount} Visits each`);
console.table(
  rates.map(({ rate, ...row }) => ({ ...row, 'visits/s': rate.toFixed(2), ratio: (rate / first!.rate).toFixed(2) })),
);
