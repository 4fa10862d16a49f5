import { once } from 'node:events';
import { connect } from 'node:http2';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';
import { estimateMedian } from './support/interval-of-median.ts';

/**
 * What the front of the origin costs: the same page of 100 objects by HTTP/2 from the origin's own listener and through the front, in turn, each on a connection of
 * its own: `node bench/http3-front.ts [--pairs 60] [--page page/100x10000]`. From the connection to the last byte of the last object, which are all asked for at once.
 */
const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '60' }, page: { type: 'string', default: 'page/100x10000' } },
});
const pairCount = z.coerce.number().int().min(1).max(10_000).parse(values.pairs);
const unmeasuredPairs = 5;
/** No load waits for it. */
const windowBytes = 2 ** 24;

await using origin = await startOriginProcess({ http3: true });

async function loadPage(url: string): Promise<number> {
  const startMs = performance.now();
  const session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: windowBytes } });
  try {
    await once(session, 'connect');
    session.setLocalWindowSize(windowBytes);
    const page = await read(`/${values.page}`);
    const paths = [...page.matchAll(/<img[^>]* src="?([^\s">]+)/g)].map((match) => match[1]!.replaceAll('&amp;', '&'));
    if (paths.length === 0) throw new Error(`${url}/${values.page} has no images`);
    await Promise.all(paths.map(read));
    return performance.now() - startMs;
  } finally {
    session.destroy();
  }

  async function read(path: string): Promise<string> {
    const stream = session.request({ ':path': path });
    let text = '';
    stream.setEncoding('latin1').on('data', (part: string) => (text += part));
    await once(stream, 'end');
    return text;
  }
}

const own: number[] = [];
const front: number[] = [];
for (let pair = -unmeasuredPairs; pair < pairCount; pair++) {
  const isFrontFirst = pair % 2 === 0;
  const first = await loadPage(isFrontFirst ? origin.urls.front! : origin.http2Url);
  const second = await loadPage(isFrontFirst ? origin.http2Url : origin.urls.front!);
  if (pair < 0) continue;
  front.push(isFrontFirst ? first : second);
  own.push(isFrontFirst ? second : first);
}
const ratios = front.map((ms, index) => ms / own[index]!);
const round = ({ median, low, high }: ReturnType<typeof estimateMedian>) =>
  [median, low, high].map((value) => value.toFixed(2));
const [ratio, low, high] = round(estimateMedian(ratios));
const [addedMs, addedLow, addedHigh] = round(estimateMedian(front.map((ms, index) => ms - own[index]!)));
console.log(
  `${values.page} by HTTP/2, ${pairCount} pairs: ${round(estimateMedian(own))[0]} ms from the origin, ${round(estimateMedian(front))[0]} ms through the front`,
);
console.log(`ratio, median and 95 % interval: ${ratio} (${low} to ${high})`);
console.log(`added, median and 95 % interval: ${addedMs} ms (${addedLow} to ${addedHigh})`);
