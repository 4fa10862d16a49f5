import { z } from 'zod';
import browser from 'webextension-polyfill';

/** The same for as long as the browser runs, however often the background is started in that time. */
export async function readBrowserLifeId(): Promise<string> {
  const { browserLifeId } = await browser.storage.session.get('browserLifeId');
  const known = z.string().safeParse(browserLifeId).data;
  if (known !== undefined) return known;
  const id = crypto.randomUUID();
  await browser.storage.session.set({ browserLifeId: id });
  return id;
}
