import type { z } from 'zod';
import { HttpClient } from '#agent/engines/http/process/http-client.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';

export interface ClientOptions {
  browser?: z.input<typeof BrowserSettingsSchema>;
  pageLoad?: z.input<typeof PageLoadSchema>;
  recordsHeaders?: boolean;
}

/** The client of the http engine without the process around it. */
export function openClient({ browser = {}, pageLoad = {}, recordsHeaders = false }: ClientOptions = {}): HttpClient {
  return new HttpClient({
    browser: BrowserSettingsSchema.parse(browser),
    pageLoad: PageLoadSchema.parse(pageLoad),
    userAgent: 'test',
    recordsHeaders,
    osUser: null,
  });
}

/** Visits a page that has to load. */
export async function load(client: HttpClient, url: string): Promise<Snapshot> {
  const outcome = await client.visit(url);
  if (outcome.status === 'failed') throw new Error(`${url} failed: ${outcome.code}, ${outcome.detail}`);
  return outcome.snapshot;
}
