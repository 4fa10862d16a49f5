import { isNamedKey, type JourneyKey, type NamedKey } from '#core/evaluation/journey/journey-keys.ts';

/** A key as Chrome is to see it. https://chromedevtools.github.io/devtools-protocol/tot/Input/#method-dispatchKeyEvent */
interface DescribedKey {
  key: string;
  code?: string;
  windowsVirtualKeyCode: number;
  /** What it writes; left out for a key that writes nothing. */
  text?: string;
}

const codes: Record<NamedKey, number> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
};

/** Keys of a US keyboard by the characters that they write, without and with Shift: the code is that of the key. */
const characterCodes = new Map<string, number>([
  [' ', 32],
  ...Array.from(')!@#$%^&*(', (character, digit): [string, number] => [character, 48 + digit]),
  ...([';:', '=+', ',<', '-_', '.>', '/?', '`~'] as const).flatMap(codesFrom(186)),
  ...(['[{', '\\|', ']}', `'"`] as const).flatMap(codesFrom(219)),
]);

function codesFrom(first: number): (pair: string, index: number) => [string, number][] {
  return (pair, index) => Array.from(pair, (character) => [character, first + index]);
}

/** Null for a character that no key writes. */
export function describeKey(key: JourneyKey): DescribedKey | null {
  if (isNamedKey(key))
    return {
      key,
      code: key,
      windowsVirtualKeyCode: codes[key],
      // Without it, Enter sends no form.
      ...(key === 'Enter' && { text: '\r' }),
    };
  const code = /^[a-z0-9]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : characterCodes.get(key);
  return code === undefined ? null : { key, windowsVirtualKeyCode: code, text: key };
}
