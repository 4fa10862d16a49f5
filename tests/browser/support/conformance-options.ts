import type { z } from 'zod';
import type { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import type { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';

export interface ConformanceOptions {
  pageLoad?: z.input<typeof PageLoadSchema>;
  browser?: z.input<typeof BrowserSettingsSchema>;
  urls?: readonly string[];
}
