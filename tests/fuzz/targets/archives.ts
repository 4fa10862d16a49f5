import { isIP } from 'node:net';
import fc from 'fast-check';
import { z } from 'zod';
import { buildHar } from '#controller/visits/build-har.ts';
import { redactHeaders } from '#core/har/redact-headers.ts';
import { splitLatencies } from '#core/causes/split-latencies.ts';
import { deriveReadings, latencyIds, ReadingSchema } from '#core/metrics/index.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { buildWaterfall } from '#web-ui/src/waterfall/build-waterfall.ts';
import { findHarFaults } from '#tests/support/har/find-har-faults.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must, mustEqual, wordIssues } from '../support/promises.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';

const InputSchema = z.strictObject({ snapshot: z.json(), clockOffsetMs: z.number().min(-1e13).max(1e13) });
type Input = z.infer<typeof InputSchema>;

/** Times and URLs of one page, so that its requests, frames and needs belong together. */
const startEpochMs = 1_700_000_000_000;
const urls = fc.constantFrom(
  'http://a.example/',
  'http://a.example/1.png',
  'http://a.example/2.css?a=1&b=',
  'http://b.example/f.woff2',
  'http://a.example/frame',
  'data:,',
  '',
);
const arbitrary = (arbitraryOf(SnapshotSchema) as fc.Arbitrary<{ [key: string]: unknown }>).chain((snapshot) =>
  fc
    .tuple(
      fc.array(urls, { minLength: 30, maxLength: 30 }),
      fc.array(fc.double({ min: 0, max: 3000, noNaN: true }), { minLength: 60, maxLength: 60 }),
    )
    .map(([pages, times]) => {
      let [url, time] = [0, 0];
      const relate = (value: unknown, key: string): unknown => {
        if (Array.isArray(value)) return value.map((each) => relate(each, key));
        if (typeof value === 'string') return /url|^name$/i.test(key) ? pages[url++ % pages.length] : value;
        if (typeof value === 'number') {
          if (/EpochMs$|^timeOrigin$/.test(key)) return startEpochMs + times[time++ % times.length]!;
          return /Ms$|Start$|End$|Time$|Interactive$/.test(key) ? times[time++ % times.length] : value;
        }
        return typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, relate(each, name)]))
          : value;
      };
      const related = relate(snapshot, '') as { frames: { path: unknown[] }[] };
      // The first is the page itself.
      const [main] = related.frames;
      if (main !== undefined) main.path = [];
      return { snapshot: related, clockOffsetMs: times[0]! - 1000 };
    }),
);

/** What Agents report of a page, and the HAR, the Readings and the waterfall that are made of it. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: arbitrary as unknown as fc.Arbitrary<Input>,
  run({ snapshot: input, clockOffsetMs }) {
    const parsed = SnapshotSchema.safeParse(input);
    if (!parsed.success) return wordIssues(parsed.error);
    const snapshot = parsed.data;
    const readings = deriveReadings(snapshot);
    for (const reading of readings) ReadingSchema.parse(reading);
    const split = splitLatencies(snapshot);
    must(
      latencyIds.every((id) => split[id]?.parts.every((ms) => Number.isFinite(ms) && ms >= 0) ?? true),
      'a latency has parts that are not negative',
    );
    // A HAR has no way to write down what is no address.
    const isNameable = snapshot.requests.every(
      ({ url, exchange }) => URL.canParse(url) && isIP(exchange?.serverAddress ?? '::') !== 0,
    );
    const har = buildHar(snapshot, { visit: { id: 'id', description: '', clockOffsetMs }, creatorVersion: '0' });
    const text = JSON.stringify(har);
    const faults = findHarFaults(JSON.parse(text));
    must(!isNameable || faults.length === 0, `a HAR is one: ${faults.join('; ')}`);
    must(har.log.entries.length === snapshot.requests.length, 'a HAR has every request');
    const waterfall = buildWaterfall(snapshot);
    must(
      waterfall.rows.every(
        ({ startMs, endMs }) => Number.isFinite(startMs) && (endMs === null || Number.isFinite(endMs)),
      ),
      'every time of a waterfall is a number',
    );
    must(
      new Set(waterfall.rows.map(({ key }) => key)).size === waterfall.rows.length,
      'every row of a waterfall has a key of its own',
    );
    for (const { exchange } of snapshot.requests) {
      const redacted = redactHeaders(exchange?.headers?.request ?? []);
      mustEqual(redactHeaders(redacted), redacted, 'redacting twice changes nothing more');
    }
    return readings.map((reading) => `${reading.metric} ${reading.kind === 'absent' ? reading.reason : 'measured'}`);
  },
};
