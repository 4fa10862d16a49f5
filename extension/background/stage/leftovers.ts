import { z } from 'zod';
import browser from 'webextension-polyfill';

/**
 * What is open for a Visit, written down so that it can be closed after the background died in the midst of it. Window ids are of one life of the
 * browser only (a later window of the person's may have the same), containers outlive it.
 */
const WindowsSchema = z.array(z.number()).catch([]);
const ContainersSchema = z.array(z.string()).catch([]);

/** All that are open. */
export async function noteWindows(stageWindows: number[]): Promise<void> {
  await browser.storage.session.set({ stageWindows });
}

export async function noteContainer(cookieStoreId: string): Promise<void> {
  await browser.storage.local.set({ containers: [...(await readContainers()), cookieStoreId] });
}

export async function forgetContainer(cookieStoreId: string): Promise<void> {
  await browser.storage.local.set({ containers: (await readContainers()).filter((each) => each !== cookieStoreId) });
}

export async function readWindows(): Promise<number[]> {
  const { stageWindows } = await browser.storage.session.get('stageWindows');
  return WindowsSchema.parse(stageWindows);
}

export async function readContainers(): Promise<string[]> {
  const { containers } = await browser.storage.local.get('containers');
  return ContainersSchema.parse(containers);
}
