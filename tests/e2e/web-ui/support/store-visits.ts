import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { PictureArchive } from '#controller/captures/artefacts/picture-archive.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import type { WebUi } from '#tests/support/web-ui.ts';

/** Two pages of the Run: one has thousands of requests, the other fails. */
export const manyUrl = 'http://origin.test/images/2';
export const failingUrl = 'http://origin.test/plain';

/** A Run whose Visits have requests and a Capture each. `visitOf` is the last Visit of a page. */
export async function storeVisits(
  ui: Pick<WebUi, 'controller'>,
): Promise<{ runId: string; visitOf: (url: string) => string }> {
  const { pool } = ui.controller.database;
  const { runId, visits } = await storeCompletedRun(pool, {
    failingUrl,
    snapshotOf: (page) => makePageSnapshot(page, page.url === manyUrl ? 1999 : 24),
  });
  for (const passId of new Set(visits.map((visit) => visit.passId)))
    await storeCapture(pool, { captureId: passId, outcome: makeCaptured() });
  return { runId, visitOf: (url) => visits.findLast((visit) => visit.url === url)!.id };
}

/** Three pictures of a viewport, of which so many are there; an Agent has not uploaded the others. */
export async function storePictures(
  ui: Pick<WebUi, 'controller'>,
  { uploaded }: { uploaded: number },
): Promise<{ sha256: string; bytes: number }[]> {
  const { pool } = ui.controller.database;
  const archive = new PictureArchive(openFolder(ui.controller.artefactsFolder), { pool });
  return Promise.all(
    ['white', 'steelblue', 'seagreen'].map(async (background, index) => {
      const jpeg = await sharp({ create: { width: 400, height: 225, channels: 3, background } })
        .jpeg()
        .toBuffer();
      const sha256 = createHash('sha256').update(jpeg).digest('hex');
      if (index < uploaded) await archive.receive(sha256, Readable.from([jpeg]));
      return { sha256, bytes: jpeg.length };
    }),
  );
}
