import { afterEach, expect, test, vi } from 'vitest';
import { NotifyButton } from '#web-ui/src/pages/run/end-notification.tsx';
import { renderInPage, textsOf } from './support/render-in-page.ts';

afterEach(() => vi.unstubAllGlobals());

const offers = () => textsOf(renderInPage(NotifyButton, {}));

test('a notification is offered where nobody decided on it yet', () => {
  expect(offers()).toEqual([]);
  vi.stubGlobal(
    'Notification',
    class extends EventTarget {
      static readonly permission = 'default';
    },
  );
  expect(offers()).toEqual(['Notify me at the end']);
});

test('a browser of a phone, which has notifications by name alone, offers none and breaks no page', () => {
  vi.stubGlobal(
    'Notification',
    class {
      static readonly permission = 'default';
      constructor() {
        throw new TypeError('Illegal constructor');
      }
    },
  );
  expect(offers()).toEqual([]);
});
