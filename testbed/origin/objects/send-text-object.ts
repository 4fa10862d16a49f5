import type { Exchange } from '../exchange.ts';

const types = {
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
  data: 'application/json',
};

/** The smallest script, style sheet or JSON document, after `delayMs`. */
export async function sendTextObject(exchange: Exchange, kind: keyof typeof types): Promise<void> {
  await exchange.wait(exchange.query.delayMs);
  await exchange.send({ type: types[kind], body: kind === 'data' ? '{}' : '/* nothing */' });
}
