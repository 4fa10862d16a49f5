import browser from 'webextension-polyfill';
import { readEnrolment } from '../../agent-state/enrolment-store.ts';
import type { Stage } from '../stage/open-stage.ts';
import { readProxyAddress } from './proxy-address.ts';

type Scope = 'regular' | 'incognito_session_only';

/** Chrome only. https://developer.chrome.com/docs/extensions/reference/api/proxy */
interface ProxySettings {
  set(details: { value: object; scope: Scope }): Promise<void>;
  get(details: { incognito: boolean }): Promise<{ levelOfControl: string }>;
  clear(details: { scope: Scope }): Promise<void>;
}

const { settings } = (globalThis as unknown as { chrome: { proxy?: { settings: ProxySettings } } }).chrome.proxy ?? {};

/** Sets the proxy of all incognito windows where the Stage is one, and of the whole browser where it is not: Chrome knows no other. */
export async function leadStageInChrome(proxy: string, { isIncognito }: Stage): Promise<BrowserChange> {
  const scope = isIncognito ? 'incognito_session_only' : 'regular';
  await settings!.set({ value: await describeProxy(proxy), scope });
  const undo = () => settings!.clear({ scope });
  const { levelOfControl } = await settings!.get({ incognito: isIncognito });
  if (levelOfControl !== 'controlled_by_this_extension') {
    await undo();
    throw new Error(
      `the proxy of this browser is set by another extension or by a policy (${levelOfControl}): switch that off, or use an Agent that starts the browser`,
    );
  }
  return { words: `Proxy: ${proxy}, in ${isIncognito ? 'incognito windows' : 'the whole browser'}`, undo };
}

/** Chrome keeps what an extension has set, also when it was killed. */
export async function undoProxyOfChrome(): Promise<void> {
  if (!settings) return;
  await settings.clear({ scope: 'regular' });
  const windows = await browser.windows.getAll();
  if (windows.some(({ incognito }) => incognito)) await settings.clear({ scope: 'incognito_session_only' });
}

/** For all hosts, this machine too, but the Controller. */
async function describeProxy(proxy: string): Promise<object> {
  const enrolment = await readEnrolment();
  const controller = enrolment === null ? [] : [new URL(enrolment.controllerUrl).host];
  return {
    mode: 'fixed_servers',
    rules: { singleProxy: readProxyAddress(proxy), bypassList: ['<-loopback>', ...controller] },
  };
}

/** Something of the browser that is other than the person has it. */
export interface BrowserChange {
  /** What, for the person. */
  words: string;
  undo: () => Promise<void>;
}
