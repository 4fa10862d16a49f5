import type { Exchange } from '../exchange.ts';
import { renderPage } from './render-page.ts';

/** `/dialog`: a page that opens a dialog and continues when it is closed. */
export async function sendDialogPage(exchange: Exchange): Promise<void> {
  await exchange.send(
    renderPage({
      title: 'Dialog',
      body: '<p>Before the dialog.</p><script>alert("A dialog")</script><p>After it.</p>',
    }),
  );
}
