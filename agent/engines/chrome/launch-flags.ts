import type { BrowserSettings } from '#core/evaluation/browser-settings.ts';

/** The command line of a browser that does nothing but what it is told. */
export function listLaunchFlags({ proxy, flags, trustedKeys }: BrowserSettings, { isRoot }: { isRoot: boolean }): string[] {
  return [
    // QUIC would race the protocols that a Scenario asks for.
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--no-first-run',
    '--no-default-browser-check',
    // Chrome refuses to run as root with its sandbox.
    ...(isRoot ? ['--no-sandbox'] : []),
    // By default the environment decides, and addresses of this machine bypass the proxy.
    ...(proxy ? [`--proxy-server=${proxy}`, '--proxy-bypass-list=<-loopback>'] : ['--no-proxy-server']),
    // Not --ignore-certificate-errors: that stops Chrome from caching.
    ...(trustedKeys.length > 0 ? [`--ignore-certificate-errors-spki-list=${trustedKeys.join(',')}`] : []),
    ...flags,
  ];
}
