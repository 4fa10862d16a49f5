import type { Exchange } from '../exchange.ts';
import { renderPage } from './render-page.ts';

/** `/popup`: a page that opens a window. */
export async function sendPopupPage(exchange: Exchange): Promise<void> {
  await exchange.send(
    renderPage({ title: 'Popup', body: '<p>This page opens a window.</p><script>open("/images/0")</script>' }),
  );
}
