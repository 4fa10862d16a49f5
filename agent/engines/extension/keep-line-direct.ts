import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';

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
