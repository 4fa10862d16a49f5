import type { Exchange } from '../exchange.ts';
import { renderPage } from '../pages/render-page.ts';

/** `/auth`: asks for a name and password, and takes none. */
export async function askForPassword(exchange: Exchange): Promise<void> {
  const page = renderPage({ title: 'Sign in', body: '<p>A name and a password are needed.</p>' });
  await exchange.send({ ...page, status: 401, headers: { 'www-authenticate': 'Basic realm="HTTP-AE test origin"' } });
}
