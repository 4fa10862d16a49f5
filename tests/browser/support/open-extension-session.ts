import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { ExtensionSession } from '#agent/engines/extension/extension-session.ts';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { findChrome } from './find-chrome.ts';
import { findFirefox } from './find-firefox.ts';
import type { ConformanceOptions } from './conformance-options.ts';

/** A session of the extension engine, with the extension as it was built last. */
export async function openExtensionSession(
  target: ExtensionTarget,
  { pageLoad = {}, browser = {}, urls = [] }: ConformanceOptions,
): Promise<EngineSession> {
  return ExtensionSession.open({
    target,
    executablePath: target === 'chrome' ? findChrome() : findFirefox(),
    pageLoad: PageLoadSchema.parse(pageLoad),
    browser: BrowserSettingsSchema.parse(browser),
    urls,
  });
}
