import { notificationsStore } from '@mantine/notifications';
import { expect, test, vi } from 'vitest';
import { openTextFile } from '#web-ui/src/components/text-file-button.tsx';

/** What becomes of a file that a person opens: its text, or the sentence that is shown. */
async function open(bytes: Uint8Array<ArrayBuffer>): Promise<{ text: string } | { refusal: unknown }> {
  notificationsStore.setState((state) => ({ ...state, notifications: [] }));
  const opened = Promise.withResolvers<{ text: string } | { refusal: unknown }>();
  const end = notificationsStore.subscribe(({ notifications }) => {
    if (notifications[0]) opened.resolve({ refusal: notifications[0].message });
  });
  openTextFile(new File([bytes], 'a.yaml'), (text) => opened.resolve({ text }));
  try {
    return await opened.promise;
  } finally {
    end();
  }
}

test('a file that is opened in the web UI is read as UTF-8, and refused where it is not', async () => {
  expect(await open(Uint8Array.from(Buffer.from('\uFEFFname: café')))).toEqual({ text: 'name: café' });
  expect(await open(Uint8Array.from(Buffer.from('name: café', 'latin1')))).toEqual({
    refusal:
      'a.yaml, line 1: the byte E9 at offset 9 is not UTF-8. Save it as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8',
  });
  expect(await open(new Uint8Array(4_000_001))).toMatchObject({
    refusal: expect.stringContaining('more than') as string,
  });
});

test('a choice that was cancelled opens nothing', () => {
  const take = vi.fn();
  openTextFile(null, take);
  expect(take).not.toHaveBeenCalled();
});
