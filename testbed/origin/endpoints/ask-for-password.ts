import type { Exchange } from '../exchange.ts';
import { renderPage } from '../pages/render-page.ts';

/** `/auth`: asks for a name and password, and takes none. */
export async function askForPassword(exchange: Exchange): Promise<void> {
  const page = renderPage({ title: 'Sign in', body: '<p>Enter a name and a password.</p>' });
  await exchange.send({ ...page, status: 401, headers: { 'www-authenticate': 'Basic realm="HTTP-AE test origin"' } });
}
