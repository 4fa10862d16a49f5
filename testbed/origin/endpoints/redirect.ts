import { AppError } from '#core/app-error.ts';
import type { Exchange } from '../exchange.ts';
import { readWholeNumber } from '../read-whole-number.ts';

/** `/redirect/K/to/PATH?QUERY`: PATH after K redirects, the query kept at every hop. */
export async function redirectHops(exchange: Exchange, [hops, to, ...path]: string[]): Promise<void> {
  const left = readWholeNumber(hops, { name: 'the number of redirects', min: 0, max: 50 });
  const target = path.filter((segment) => segment !== '').join('/');
  if (to !== 'to' || target === '')
    throw new AppError('invalid-input', 'A redirect must look like /redirect/2/to/images/10');
  const next = left > 1 ? `/redirect/${left - 1}/to/${target}` : `/${target}`;
  await redirect(exchange, `${next}${exchange.url.search}`);
}

/** `/redirect-loop`: leads to itself. */
export async function redirectForever(exchange: Exchange): Promise<void> {
  await redirect(exchange, `${exchange.url.pathname}${exchange.url.search}`);
}

async function redirect(exchange: Exchange, location: string): Promise<void> {
  await exchange.send({ status: 302, type: 'text/plain', body: '', headers: { location } });
}
