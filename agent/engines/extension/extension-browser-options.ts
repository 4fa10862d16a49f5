import type { Browser } from 'puppeteer-core';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { Enrolment } from '#core/protocol/enrolment-link.ts';
import type { BidiConnection } from '../firefox/bidi-connection.ts';
import type { OsUser } from '../../users/find-os-user.ts';
import type { ExtensionTarget } from './pack-extension.ts';

export interface ExtensionBrowserOptions {
  target: ExtensionTarget;
  executablePath: string;
  /** Whose Agent the extension is, from the start. */
  enrolment: Enrolment;
  /** Where profile and extension are kept: who starts a browser there again finds it as it was. */
  folder: string;
  browser: BrowserSettings;
  /** As in `EngineSettings`. */
  urls?: readonly string[] | undefined;
  /** Whom the browser runs as; as this process when left out. */
  osUser?: OsUser;
  signal?: AbortSignal;
}

export interface PackedExtension extends Omit<ExtensionBrowserOptions, 'target' | 'enrolment'> {
  /** The folder of the extension. */
  extension: string;
  /** Host and port of the Controller that it joins. */
  line: string;
}

/** A headless browser with the extension in it. Disposing of it ends all its processes; its folder stays. */
export interface ExtensionBrowser extends AsyncDisposable {
  /** Null of Firefox. */
  readonly browser: Browser | null;
  /** Null of Chrome. */
  readonly connection: BidiConnection | null;
  /** As the browser reports it, such as `Chrome/140.0.7339.80`. */
  readonly version: string;
  readonly processId: number;
  /** Aborted once the browser's main process is gone. */
  readonly gone: AbortSignal;
}

type Prefs = BrowserSettings['prefs'];

/** The line of the extension goes neither by a proxy nor to another host, with any setting of a Scenario. `line`: such as `127.0.0.1:8000`. Of Chrome, the last of a switch counts. */
export function keepLineDirectInChrome(flags: readonly string[], line: string): string[] {
  const bypasses = flags.filter((flag) => flag.startsWith('--proxy-bypass-list=')).slice(-1);
  const added = bypasses.map((flag) => `${flag};${line}`);
  return [...flags.map((flag) => excludeFromMapping(flag, line)), ...added];
}

/** The first rule that fits counts. */
function excludeFromMapping(flag: string, line: string): string {
  return flag.replace(/^(--host-(?:resolver-)?rules=)/i, `$1MAP ${line} ${line},`);
}

export function keepLineDirectInFirefox(prefs: Prefs, line: string): Prefs {
  const others = String(prefs['network.proxy.no_proxies_on'] ?? '');
  return { ...prefs, 'network.proxy.no_proxies_on': others === '' ? line : `${others}, ${line}` };
}
