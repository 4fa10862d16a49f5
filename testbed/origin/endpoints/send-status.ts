import type { Exchange } from '../exchange.ts';
import { renderPage } from '../pages/render-page.ts';
import { readWholeNumber } from '../read-whole-number.ts';

/** Not even a Content-Length. https://www.rfc-editor.org/rfc/rfc9110#section-8.6 */
const statusesWithoutContent = new Set([204, 205, 304]);

/** `/status/CODE`: a page with that status. */
export async function sendStatus(exchange: Exchange, code: string | undefined): Promise<void> {
  const status = readWholeNumber(code, { name: 'the status', min: 200, max: 599 });
  await exchange.wait(exchange.query.delayMs);
  if (statusesWithoutContent.has(status)) {
    exchange.begin({ status });
    exchange.end();
    return;
  }
  await exchange.send({
    ...renderPage({ title: `Status ${status}`, body: `<p>Status ${status}, as ordered.</p>` }),
    status,
  });
}
