import { isNamedKey, type JourneyKey, type NamedKey } from '#core/evaluation/journey/journey-keys.ts';
import type { PageInput } from '../browser/browser-page.ts';
import type { FrameRealm } from './frame-realms.ts';

/** https://w3c.github.io/webdriver/#keyboard-actions */
const codes: Record<NamedKey, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

/** Mouse and keyboard of a tab. */
export function makeInput({ connection, contextId: context }: FrameRealm): PageInput {
  const perform = async (source: object) => {
    await connection.send('input.performActions', { context, actions: [source] });
  };
  const act = (actions: readonly object[]) => perform({ type: 'key', id: 'keyboard', actions });
  return {
    click: ({ x, y }) =>
      perform({
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x: Math.floor(x), y: Math.floor(y), origin: 'viewport' },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    press: (key) => act([{ type: 'keyDown', value: codeOf(key) }]),
    release: (key) => act([{ type: 'keyUp', value: codeOf(key) }]),
    type: (text) =>
      act(
        Array.from(text, (character) => (character === '\n' ? codes.Enter : character)).flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      ),
  };
}

function codeOf(key: JourneyKey): string {
  return isNamedKey(key) ? codes[key] : key;
}
