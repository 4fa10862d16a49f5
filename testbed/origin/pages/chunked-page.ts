import type { Exchange } from '../exchange.ts';
import { pageText } from './page-text.ts';
import { renderPage } from './render-page.ts';

/** `/chunked`: HTML that comes in 5 parts, 100 ms apart, unless the query has `chunks` and `chunkGapMs`; no length is sent. */
export async function sendChunkedPage(exchange: Exchange): Promise<void> {
  const { chunks = 5, chunkGapMs = 100 } = exchange.query;
  await exchange.wait(exchange.query.delayMs);
  await exchange.sendInParts(renderPage({ title: 'Slow HTML', body: pageText }), { chunks, chunkGapMs });
}
