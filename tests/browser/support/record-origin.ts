import path from 'node:path';
import type { z } from 'zod';
import type { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { recordPages, type PlannedPage } from '#cli/site/record-pages.ts';
import { openSite, type OpenSite } from '#site/open-site.ts';
import { writeSite } from '#site/write-site.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

interface RecordedForTest {
  opened: OpenSite;
  file: string;
  incomplete: ReadonlyMap<string, string>;
}

/** Records pages of a test's own servers, and opens what was written. `use` ends before all is removed. */
export async function recordForTest(
  pages: readonly PlannedPage[],
  {
    open,
    trustedKeys,
    visits = 1,
  }: {
    open: (settings: {
      browser: z.input<typeof BrowserSettingsSchema>;
      pageLoad: Partial<PageLoad>;
    }) => Promise<EngineSession>;
    trustedKeys: readonly string[];
    visits?: number;
  },
  use: (recorded: RecordedForTest) => Promise<void>,
): Promise<void> {
  await using folder = await makeTemporaryFolder();
  const { recorded, incomplete } = await recordPages(pages, {
    open: ({ browser, pageLoad }) => open({ browser, pageLoad: { ...pageLoad, restMs: 0 } }),
    folder: folder.path,
    visits,
    trustedKeys,
    software: 'HTTP-AE test',
    say: () => {},
    signal: new AbortController().signal,
  });
  const file = path.join(folder.path, 'site.wacz');
  await writeSite(file, recorded, { nowEpochMs: epochClock() });
  await using opened = await openSite(file);
  await use({ opened, file, incomplete });
}
