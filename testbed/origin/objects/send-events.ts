import type { Exchange } from '../exchange.ts';

/** A stream of server-sent events that begins and never brings one. */
export async function sendEvents(exchange: Exchange): Promise<void> {
  exchange.begin({ type: 'text/event-stream', headers: { 'cache-control': 'no-store' } });
  await exchange.write(': open\n\n');
  await exchange.waitForever();
}
