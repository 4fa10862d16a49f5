import { Option } from 'commander';

/** `--extension [BROWSER]`: which browser an Agent also runs with the extension in it. */
export function extensionOption(description: string): Option {
  return new Option('--extension [BROWSER]', `${description}, in Chrome or in Firefox (default: chrome)`)
    .choices(['chrome', 'firefox'])
    .preset('chrome');
}
