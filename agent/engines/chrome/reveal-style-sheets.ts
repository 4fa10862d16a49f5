import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import { findSheets } from '../browser/find-sheets.ts';
import { evaluateIn, type FrameWorld } from './frame-worlds.ts';
import { ignoreRefusal } from './ignore-refusal.ts';
import type { ChromePage } from './open-page.ts';

/** Hands the text of style sheets that the page may not read to the probe, and of those that they import. */
export async function revealStyleSheets(
  world: FrameWorld,
  { page, urls }: { page: ChromePage; urls: readonly string[] },
): Promise<void> {
  const sheets = findSheets(page.recorder.requests, urls);
  // The browser may have forgotten a body by now: then that sheet stays opaque.
  await Promise.all(sheets.map((sheet) => ignoreRefusal(reveal(sheet, { world, page }))));
}

async function reveal(
  { id, url }: NetworkRequest,
  { world, page }: { world: FrameWorld; page: ChromePage },
): Promise<void> {
  const session = page.recorder.sessionOf(id);
  if (!session) return;
  const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId: id });
  const text = base64Encoded ? Buffer.from(body, 'base64').toString() : body;
  await evaluateIn(world, `httpAeProbe.addStyleSheet(${JSON.stringify({ url, text })})`);
}
