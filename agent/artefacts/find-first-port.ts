import type { PassOrder } from '#core/protocol/pass-order.ts';

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443, 'socks4:': 1080, 'socks5:': 1080 };

/** To which port the first packet of a Pass goes: that of its first page, or of the proxy; null where a script chooses the proxy. */
export function findFirstPort({ visits, browser }: Pick<PassOrder, 'visits' | 'browser'>): number | null {
  if (browser.pac !== undefined) return null;
  const { port, protocol } = new URL(browser.proxy ?? visits[0]!.url);
  return port === '' ? (defaultPorts[protocol] ?? null) : Number(port);
}
