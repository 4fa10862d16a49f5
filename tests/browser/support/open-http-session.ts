import type { z } from 'zod';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { openHttpEngine } from '#agent/engines/http/http-engine.ts';
import type { OsUser } from '#agent/users/find-os-user.ts';

export interface HttpSessionOptions {
  pageLoad?: z.input<typeof PageLoadSchema>;
  browser?: z.input<typeof BrowserSettingsSchema>;
  osUser?: OsUser;
}

/** A session of the http engine, in its own process. */
export function openHttpSession({
  pageLoad = {},
  browser = {},
  osUser,
}: HttpSessionOptions = {}): Promise<EngineSession> {
  return openHttpEngine().open({
    pageLoad: PageLoadSchema.parse(pageLoad),
    browser: BrowserSettingsSchema.parse(browser),
    ...(osUser && { osUser }),
  });
}
