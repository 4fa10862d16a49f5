import { z } from 'zod';
import { findSheets } from '../browser/find-sheets.ts';
import { ignoreRefusal } from './bidi-connection.ts';
import { evaluateIn, type FrameRealm } from './frame-realms.ts';
import type { FirefoxPage } from './open-page.ts';

const DataSchema = z.object({ bytes: z.object({ type: z.enum(['string', 'base64']), value: z.string() }) });

/** Hands the text of style sheets that the page may not read to the probe, and of those that they import. */
export async function revealStyleSheets(
  realm: FrameRealm,
  { page, urls }: { page: FirefoxPage; urls: readonly string[] },
): Promise<void> {
  const sheets = findSheets(page.recorder.requests, urls);
  // The browser may have forgotten a body by now: then that sheet stays opaque.
  await Promise.all(sheets.map((sheet) => ignoreRefusal(reveal(sheet, { realm, page }))));
}

async function reveal(
  { id, url }: { id: string; url: string },
  { realm, page }: { realm: FrameRealm; page: FirefoxPage },
): Promise<void> {
  const { bytes } = DataSchema.parse(
    await realm.connection.send('network.getData', { dataType: 'response', collector: page.collectorId, request: id }),
  );
  const text = bytes.type === 'base64' ? Buffer.from(bytes.value, 'base64').toString() : bytes.value;
  await evaluateIn(realm, `httpAeProbe.addStyleSheet(${JSON.stringify({ url, text })})`);
}
