import browser from 'webextension-polyfill';
import { listSettingsInBrowserOfPerson } from '#core/evaluation/browser/engine-settings.ts';
import { mayUseProxies } from '../agent-state/proxy-permit.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';

/** What an extension knows of its browser and machine. */
export async function readHostFacts(): Promise<HostFacts> {
  const { os, arch } = await browser.runtime.getPlatformInfo();
  // Chrome only. https://www.w3.org/TR/device-memory/
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return {
    hostname: 'not known to an extension',
    machineId: null,
    platform: os,
    architecture: arch,
    release: navigator.userAgent.slice(0, 255),
    cpuCount: Math.max(1, navigator.hardwareConcurrency),
    memoryBytes: deviceMemory ? deviceMemory * 2 ** 30 : null,
    nodeVersion: null,
    interfaces: [],
    engines: [
      {
        engine: 'extension',
        version: await readBrowserVersion(),
        settings: listSettingsInBrowserOfPerson({ mayUseProxies: await mayUseProxies() }),
      },
    ],
    scriptsAllowed: false,
    anyPreferenceAllowed: false,
    origin: null,
    testbed: null,
  };
}

/** Such as `Chrome/140.0.7339.80` or `Firefox/140.0`. */
async function readBrowserVersion(): Promise<string> {
  // Firefox only.
  const { getBrowserInfo } = browser.runtime as Partial<Pick<typeof browser.runtime, 'getBrowserInfo'>>;
  if (getBrowserInfo) {
    const { name, version } = await getBrowserInfo();
    return `${name}/${version}`;
  }
  return (/Edg\/[\d.]+/.exec(navigator.userAgent) ?? /Chrome\/[\d.]+/.exec(navigator.userAgent))?.[0] ?? 'unknown';
}
