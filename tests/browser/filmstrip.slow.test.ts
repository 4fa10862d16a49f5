import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { EngineSession, TakenFilmstrip } from '#agent/engines/engine.ts';
import { measureFilm } from '#agent/artefacts/measure-film.ts';
import { PictureSpool } from '#agent/spool/picture-uploader.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { findNavigationStart } from '#core/metrics/navigation-start.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { filmstripLimits } from '#core/protocol/filmstrip.ts';
import { judgeTime, roomyLimits } from '../support/judge-time.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { openSession, type SessionOptions } from './support/open-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';

/** Between two parts of a page. */
const gapMs = 1000;
/** From the origin's sending of a part to the frame that shows it: at worst on a machine that does much other work, and at best. */
const [atWorstMs, atBestMs] = [900, 100];
/** Chrome writes the time of the refresh that it makes a frame for, and may be late for that. */
const refreshMs = 1000 / 60;

const openFilming = (options: SessionOptions = {}) =>
  openSession({ ...options, filmsViewport: true, pageLoad: { restMs: 100, quietMs: 300, ...options.pageLoad } });

/** What was filmed of one Visit: each look by its colour, with its time since navigation start. */
async function film(session: EngineSession, url: string) {
  const taken: TakenFilmstrip[] = [];
  const outcome = await session.visit({
    url,
    signal: new AbortController().signal,
    onFilmstrip: (filmstrip) => void taken.push(filmstrip),
  });
  const [filmstrip] = taken;
  if (!outcome.snapshot || taken.length !== 1 || filmstrip?.kind !== 'taken')
    throw new Error(`There is no filmstrip: ${JSON.stringify({ outcome, taken })}`);
  const originEpochMs = findNavigationStart(outcome.snapshot);
  const frames = await Promise.all(
    filmstrip.frames.map(async ({ shownEpochMs, jpeg }) => ({
      ...(await describePicture(jpeg)),
      atMs: shownEpochMs - originEpochMs,
    })),
  );
  return {
    filmstrip,
    snapshot: outcome.snapshot,
    frames,
    originEpochMs,
    leftOut: filmstrip.leftOut,
    isLastLate: filmstrip.isLastLate,
    bytes: filmstrip.frames.reduce((sum, { jpeg }) => sum + jpeg.length, 0),
  };
}

async function describePicture(jpeg: Uint8Array) {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const { format } = await sharp(jpeg).metadata();
  const middle = ((info.height >> 1) * info.width + (info.width >> 1)) * info.channels;
  const [red, green, blue] = [...data.subarray(middle, middle + 3)].map((value) => value > 127);
  const colour = red && green && blue ? 'white' : red ? 'red' : blue ? 'blue' : green ? 'green' : 'black';
  return { format, width: info.width, height: info.height, colour };
}

const paint = (colour: string) => `<style>html { background: ${colour} }</style>`;

test('a frame has the time at which the page changed, by the clock of its origin', async (context) => {
  const sentEpochMs: number[] = [];
  await using server = await servePages({
    '/': (response) => {
      const send = (part: string) => {
        sentEpochMs.push(epochClock());
        response.write(part);
      };
      response.writeHead(200, { 'content-type': 'text/html' });
      void (async () => {
        await sleep(300);
        send(`<!doctype html>${noIcon}${paint('rgb(0, 0, 255)')}<body><p>1</p>`);
        await sleep(gapMs);
        send(`${paint('rgb(255, 0, 0)')}<p>2</p>`);
        await sleep(gapMs);
        send(`${paint('rgb(0, 255, 0)')}<p>3</p>`);
        response.end();
      })();
    },
  });
  await using session = await openFilming();
  const measure = async () => {
    const delaysMs: number[] = [];
    const emptyTabsMs: number[] = [];
    for (let visit = 0; visit < 3; visit++) {
      sentEpochMs.length = 0;
      const { frames, originEpochMs } = await film(session, server.url);
      // Before the first byte: the empty tab, which was there when navigation started.
      const firstOf = (colour: string) => frames.find((frame) => frame.colour === colour)!;
      emptyTabsMs.push(firstOf('white').atMs);
      for (const [index, colour] of ['blue', 'red', 'green'].entries()) {
        delaysMs.push(firstOf(colour).atMs - (sentEpochMs[index]! - originEpochMs));
      }
      expect(frames.map(({ colour }) => colour).filter((colour, index, all) => colour !== all[index - 1])).toEqual([
        'white',
        'blue',
        'red',
        'green',
      ]);
      expect(new Set(frames.map(({ format, width, height }) => `${format} ${width} × ${height}`))).toEqual(
        new Set(['jpeg 400 × 225']),
      );
    }
    return { delaysMs, emptyTabsMs };
  };
  await judgeTime(context, {
    measure,
    holds: ({ delaysMs, emptyTabsMs }) => {
      expect(Math.max(...emptyTabsMs)).toBeLessThanOrEqual(50);
      expect(Math.min(...delaysMs)).toBeGreaterThanOrEqual(-refreshMs);
      expect(Math.max(...delaysMs)).toBeLessThanOrEqual(atWorstMs);
      // No load is so heavy that all come late: more would be another clock.
      expect(Math.min(...delaysMs)).toBeLessThanOrEqual(atBestMs);
    },
    limits: roomyLimits,
  });
});

test('Speed Index and visual completeness are those of a page that is painted at known times', async (context) => {
  const sentEpochMs: number[] = [];
  await using server = await servePages({
    '/': (response) => {
      const send = (part: string) => {
        sentEpochMs.push(epochClock());
        response.write(part);
      };
      response.writeHead(200, { 'content-type': 'text/html' });
      void (async () => {
        response.write(`<!doctype html>${noIcon}<style>body { margin: 0 } p { margin: 0; height: 50vh }</style>`);
        await sleep(gapMs);
        send('<p style="background: rgb(0, 0, 255)">');
        await sleep(gapMs);
        send('<p style="background: rgb(0, 0, 255)">');
        response.end();
      })();
    },
  });
  await using session = await openFilming();
  await using folder = await makeTemporaryFolder();
  const spool = new PictureSpool(folder.path);
  const measure = async () => {
    sentEpochMs.length = 0;
    const { filmstrip, snapshot, originEpochMs } = await film(session, server.url);
    const frames = await Promise.all(
      filmstrip.frames.map(async ({ shownEpochMs, jpeg }) => ({ shownEpochMs, ...(await spool.keep(jpeg)) })),
    );
    const { leftOut } = filmstrip;
    const measured = await measureFilm({ kind: 'kept', frames, leftOut, isLastLate: false }, (hash) =>
      spool.fileOf(hash),
    );
    const [half, whole] = [0.4, 0.9].map((ratio) => measured.frames.find((frame) => frame.progressRatio! > ratio)!);
    // The edge between the halves is blurred by the compression.
    expect(Math.abs(half!.progressRatio! - 0.5)).toBeLessThan(0.015);
    expect(whole!.progressRatio).toBeGreaterThan(0.985);

    const readings = new Map(
      deriveReadings(snapshot, measured).map((reading) => [reading.metric, 'value' in reading ? reading.value : NaN]),
    );
    const [halfMs, wholeMs] = sentEpochMs.map((epochMs) => epochMs - originEpochMs);
    expect(readings.get('visuallyComplete100Ms')).toBe(measured.frames.at(-1)!.shownEpochMs - originEpochMs);
    const byFramesMs = (half!.shownEpochMs + whole!.shownEpochMs) / 2 - originEpochMs;
    expect(Math.abs(readings.get('speedIndexMs')! - byFramesMs)).toBeLessThan(0.02 * gapMs);
    return { readings, halfMs: halfMs!, wholeMs: wholeMs! };
  };
  await judgeTime(context, {
    measure,
    holds: ({ readings, halfMs, wholeMs }) => {
      const expectLate = (valueMs: number, trueMs: number) => {
        expect(valueMs - trueMs).toBeGreaterThanOrEqual(-refreshMs);
        expect(valueMs - trueMs).toBeLessThanOrEqual(atWorstMs);
      };
      // The integral of 1 until the first half, and of ½ until the second.
      expectLate(readings.get('speedIndexMs')!, (halfMs + wholeMs) / 2);
      for (const metric of ['visuallyComplete85Ms', 'visuallyComplete95Ms'] as const)
        expectLate(readings.get(metric)!, wholeMs);
    },
    limits: roomyLimits,
  });
});

test('a viewport of another shape, on a fine screen, is in its frames whole', async () => {
  await using server = await servePages({ '/': `<!doctype html>${noIcon}${paint('rgb(0, 0, 255)')}` });
  await using session = await openFilming({
    browser: { viewport: { widthPx: 390, heightPx: 844 }, deviceScaleRatio: 2 },
  });
  const { frames } = await film(session, server.url);
  expect(frames.at(-1)).toMatchObject({ format: 'jpeg', height: 400, colour: 'blue' });
  expect(frames.at(-1)!.width).toBeGreaterThanOrEqual(184);
  expect(frames.at(-1)!.width).toBeLessThanOrEqual(186);
});

/** Another blue with every frame, then red. */
const animated = `<!doctype html>${noIcon}<body><script>
  const start = performance.now();
  let step = 0;
  const draw = () => {
    const isOver = performance.now() - start > 2500;
    document.body.style.background = isOver ? 'rgb(255, 0, 0)' : 'rgb(' + (step % 2) * 100 + ', ' + (step++ * 5) % 100 + ', 255)';
    if (!isOver) requestAnimationFrame(draw);
  };
  draw();
  // Shown nowhere: its end changes nothing that is.
  new Image().src = '/slow';
</script>`;

test('of an animation so many looks are kept as there is room for, the last among them, and the rest are counted', async (context) => {
  await using server = await servePages({
    '/': animated,
    '/slow': (response) => void setTimeout(() => response.writeHead(404).end(), 2800),
  });
  await using session = await openFilming();
  await judgeTime(context, {
    measure: async () => {
      const filmed = await film(session, server.url);
      const { frames, bytes } = filmed;
      expect(frames.length).toBeLessThanOrEqual(filmstripLimits.frames);
      expect(bytes).toBeLessThanOrEqual(filmstripLimits.bytes);
      expect(frames.at(-1)!.colour).toBe('red');
      expect(frames.every(({ atMs }, index) => index === 0 || atMs >= frames[index - 1]!.atMs)).toBe(true);
      return filmed;
    },
    // How many frames there are in so long is a matter of the machine.
    holds: ({ frames, leftOut }) => {
      expect(leftOut).toBeGreaterThan(0);
      expect(frames.length).toBeGreaterThan(filmstripLimits.frames / 2);
    },
    limits: roomyLimits,
  });
});

test('the last look is there although the Agent was too busy to take frames when it came', async () => {
  await using server = await servePages({
    '/': animated,
    '/slow': (response) => {
      setTimeout(() => {
        const until = performance.now() + 1500;
        while (performance.now() < until);
        response.writeHead(404).end();
      }, 1500);
    },
  });
  await using session = await openFilming();
  const { frames, isLastLate } = await film(session, server.url);
  expect(frames.at(-1)!.colour).toBe('red');
  expect(isLastLate).toBe(true);
});

test('a page that leads to another site is filmed on', async () => {
  await using server = await servePages({
    '/': `<!doctype html>${noIcon}${paint('rgb(0, 0, 255)')}<p>1</p><script>onload = () => setTimeout(() => location.replace('//localhost:' + location.port + '/other'), 150)</script>`,
    '/other': `<!doctype html>${noIcon}${paint('rgb(255, 0, 0)')}<p>2</p>`,
  });
  await using session = await openFilming();
  const { frames } = await film(session, server.url);
  expect(frames.map(({ colour }) => colour)).toEqual(expect.arrayContaining(['blue', 'red']));
  expect(frames.at(-1)!.colour).toBe('red');
});

test('where no page came, and where none was asked for, there is no filmstrip', async () => {
  const taken: TakenFilmstrip[] = [];
  const request = {
    signal: new AbortController().signal,
    onFilmstrip: (filmstrip: TakenFilmstrip) => void taken.push(filmstrip),
  };
  await using server = await servePages({ '/': `<!doctype html>${noIcon}<p>1</p>` });
  await using filming = await openFilming();
  await filming.visit({ ...request, url: 'http://no-such-name.invalid/' });
  await using session = await openSession({ pageLoad: { restMs: 0, quietMs: 100 } });
  await session.visit({ ...request, url: server.url });
  expect(taken).toEqual([]);
});
