import type { Exchange } from '../exchange.ts';

/** `/empty`: the connection is closed without an answer. */
export async function closeUnanswered(exchange: Exchange): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  exchange.closeConnection();
}

/** `/reset`: the connection is reset (TCP RST) without an answer. */
export async function resetUnanswered(exchange: Exchange): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  exchange.resetConnection();
}

/** `/hang`: the connection stays open and no answer comes. */
export async function neverAnswer(exchange: Exchange): Promise<void> {
  await exchange.waitForever();
}
