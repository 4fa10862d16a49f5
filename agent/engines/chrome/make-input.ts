import type { CDPSession } from 'puppeteer-core';
import type { JourneyKey } from '#core/evaluation/journey/journey-keys.ts';
import type { PageInput } from '../browser/browser-page.ts';
import { describeKey } from './describe-key.ts';

/** Mouse and keyboard of a tab. */
export function makeInput(session: CDPSession): PageInput {
  const press = async (key: JourneyKey) => {
    const described = describeKey(key);
    // A character that no key of a US keyboard writes comes as from an input method.
    if (!described) await session.send('Input.insertText', { text: key });
    else
      await session.send('Input.dispatchKeyEvent', {
        type: described.text === undefined ? 'rawKeyDown' : 'keyDown',
        ...described,
      });
  };
  const release = async (key: JourneyKey) => {
    const described = describeKey(key);
    if (!described) return;
    await session.send('Input.dispatchKeyEvent', { ...described, type: 'keyUp', text: '' });
  };
  return {
    click: async ({ x, y }) => {
      const button = { x, y, button: 'left', clickCount: 1 } as const;
      await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
      await session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button });
      await session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button });
    },
    press,
    release,
    type: async (text) => {
      for (const character of text) {
        const key = character === '\n' ? 'Enter' : character;
        await press(key);
        await release(key);
      }
    },
  };
}
