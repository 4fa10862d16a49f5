import { createHash } from 'node:crypto';
import pino from 'pino';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { computeVisualProgress, countColours } from '#agent/artefacts/measure-film.ts';
import { PictureSpool } from '#agent/spool/picture-uploader.ts';
import { FilmedVisits, VisitSpool } from '#agent/spool/visit-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { makeSnapshot } from '../../support/make-snapshot.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const [widthPx, heightPx] = [40, 30];

/** Five frames that fill in from the left, in colours of their own; the rest is nearly white. */
function drawFrame(frame: number): Uint8Array {
  const edge = [0, 9, 22, 31, 40][frame]!;
  const pixels: number[] = [];
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      pixels.push(
        ...(x >= edge
          ? [252 + ((x + y) % 4), 251 + (y % 5), 250 + (x % 6)]
          : [(x * 7 + y * 3 + frame * 2) % 256, (x * x + y * 5 + frame * 40) % 256, (x * 4 + frame * 60) % 256]),
      );
  return Uint8Array.from(pixels);
}

test('visual progress is that of WebPageTest, unrounded', () => {
  const progress = computeVisualProgress([0, 1, 2, 3, 4].map((frame) => countColours(drawFrame(frame))));
  // Of the same frames by `calculate_frame_progress` of visualmetrics.py, without its rounding.
  const expected = [0.0, 0.225, 0.425, 0.65, 1.0];
  for (const [frame, ratio] of expected.entries()) expect(progress[frame]).toBeCloseTo(ratio, 12);
});

test('white counts as empty, levels near each other as equal, and a page of one look as complete', () => {
  const fill = (level: number) => countColours(new Uint8Array(3 * 100).fill(level));
  expect(computeVisualProgress([fill(255), fill(252), fill(204), fill(190), fill(200)])).toEqual([0, 0, 1, 0, 1]);
  expect(computeVisualProgress([fill(255), fill(250)])).toEqual([1, 1]);
  expect(computeVisualProgress([])).toEqual([]);
});

test('the Visits of an upload have the progress of their films; one whose pictures are gone has none, and is uploaded', async () => {
  await using folder = await makeTemporaryFolder();
  using database = openSpoolDatabase(`${folder.path}/spool.sqlite`);
  const [visits, pictures] = [new VisitSpool(database), new PictureSpool(`${folder.path}/pictures`)];
  const paint = async (coloured: number) => {
    const width = 100;
    const background = await sharp({ create: { width, height: 60, channels: 3, background: 'white' } })
      .composite(
        coloured === 0
          ? []
          : [
              {
                input: { create: { width: coloured, height: 60, channels: 3, background: 'rgb(0, 0, 255)' } },
                left: 0,
                top: 0,
              },
            ],
      )
      .jpeg({ quality: 50 })
      .toBuffer();
    return pictures.keep(background);
  };
  const kept = await Promise.all([0, 48, 96].map(paint));
  const gone = { sha256: createHash('sha256').update('gone').digest('hex'), bytes: 4 };
  const makeVisit = (id: string, frames: { sha256: string; bytes: number }[]): Visit => ({
    id,
    passId: '00000000-0000-4000-8000-00000000000a',
    sequence: 0,
    url: 'http://origin.test/',
    repetition: 1,
    startedEpochMs: 1_800_000_000_000,
    clockOffsetMs: 0,
    clockErrorMs: 0,
    outcome: { status: 'ok', snapshot: makeSnapshot({ url: 'http://origin.test/', totalMs: 100 }) },
    filmstrip: {
      kind: 'kept',
      leftOut: 0,
      isLastLate: false,
      frames: frames.map((frame, index) => ({ ...frame, shownEpochMs: 1_800_000_000_000 + index })),
    },
  });
  visits.add(makeVisit('00000000-0000-4000-8000-000000000001', kept));
  visits.add(makeVisit('00000000-0000-4000-8000-000000000002', [kept[0]!, gone]));
  const batch = await new FilmedVisits(visits, pictures, pino({ level: 'silent' })).nextBatch();
  const ratios = batch.map(({ visit: { filmstrip } }) =>
    filmstrip?.kind === 'kept' ? filmstrip.frames.map(({ progressRatio }) => progressRatio) : null,
  );
  expect(ratios[0]![0]).toBe(0);
  expect(ratios[0]![1]).toBeGreaterThan(0.48);
  expect(ratios[0]![1]).toBeLessThan(0.52);
  expect(ratios[0]![2]).toBe(1);
  expect(ratios[1]).toEqual([undefined, undefined]);
});
