import { tmpdir } from 'node:os';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { listSettingsOfStartedExtension } from '#core/evaluation/browser/engine-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { removeAbandonedFolders } from '../../own-folder.ts';
import type { Engine } from '../engine.ts';
import { ExtensionSession, type ExtensionEngineOptions } from './extension-session.ts';

/** A headless browser of this machine with the extension in it. Starts it once, to learn its version and that it works at all. */
export async function openExtensionEngine(options: ExtensionEngineOptions): Promise<Engine> {
  await removeAbandonedFolders(options.temporaryFolder ?? tmpdir(), 'browser');
  await using trial = await ExtensionSession.open({
    ...options,
    pageLoad: PageLoadSchema.parse({}),
    browser: BrowserSettingsSchema.parse({}),
  });
  return {
    name: 'extension',
    browserVersion: trial.browserVersion,
    settings: listSettingsOfStartedExtension(options.target),
    open: (settings) => ExtensionSession.open({ ...options, ...settings }),
  };
}
