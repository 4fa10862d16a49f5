import { AppError } from '#core/app-error.ts';
import type { Exchange } from '../exchange.ts';
import { linkObject } from '../object-query.ts';
import { renderPage } from './render-page.ts';

/** Whom the origin lets in: there is nothing to protect. */
export const account = { user: 'alice', password: 'wonderland' } as const;

const cookie = 'account';
const mostFormBytes = 10_000;
const imageCount = 5;
/** How long the page of the account is busy with a search. */
const searchMs = 120;

/**
 * `/account/…`, a path for journeys: `sign-in`, whose form leads by a POST and a redirect to `home`, and from there to `orders`. Each of the three is a Visit
 * of its own in the log: `visit=X` leads to `X.2` and `X.3`.
 */
export async function sendAccountPage(exchange: Exchange, name: string | undefined): Promise<void> {
  if (name === 'sign-in') return exchange.method === 'POST' ? signIn(exchange) : sendSignInPage(exchange);
  if (name !== 'home' && name !== 'orders')
    throw new AppError('not-found', 'An account has the pages sign-in, home and orders');
  if (!exchange.hasCookie(`${cookie}=${account.user}`)) {
    await exchange.send({ ...renderPage({ title: 'Signed out', body: '<p>Sign in first.</p>' }), status: 403 });
    return;
  }
  await (name === 'home' ? sendHomePage(exchange) : sendOrdersPage(exchange));
}

async function sendSignInPage(exchange: Exchange): Promise<void> {
  await exchange.send(
    renderPage({
      title: 'Sign in',
      body: `<form method=post action="/account/sign-in${continueVisit(exchange, 2)}">
<label>User <input name=user id=user></label>
<label>Password <input name=password id=password type=password></label>
<button id=submit>Sign in</button>
</form>
${listImages(exchange)}`,
    }),
  );
}

async function signIn(exchange: Exchange): Promise<void> {
  const form = new URLSearchParams(await exchange.readText(mostFormBytes));
  if (form.get('user') !== account.user || form.get('password') !== account.password) {
    await exchange.send({ ...renderPage({ title: 'Wrong', body: '<p>User or password is wrong.</p>' }), status: 403 });
    return;
  }
  await exchange.send({
    status: 303,
    type: 'text/plain',
    body: '',
    headers: {
      location: `/account/home${exchange.url.search}`,
      'set-cookie': `${cookie}=${account.user}; Path=/account`,
    },
  });
}

async function sendHomePage(exchange: Exchange): Promise<void> {
  await exchange.send(
    renderPage({
      title: 'Account',
      body: `<h1>Account</h1>
<button id=search onclick="const end = performance.now() + ${searchMs}; while (performance.now() < end); this.insertAdjacentHTML('afterend', '<p id=found>One order</p>')">Search</button>
<a id=orders href="/account/orders${continueVisit(exchange, 3)}">Orders</a>
${listImages(exchange)}`,
    }),
  );
}

async function sendOrdersPage(exchange: Exchange): Promise<void> {
  await exchange.send(renderPage({ title: 'Orders', body: `<h1>Orders</h1>\n${listImages(exchange)}` }));
}

function listImages({ query }: Exchange): string {
  const urls = Array.from({ length: imageCount }, (_, index) =>
    linkObject(query, {
      path: `/image/${index + 1}.jpg`,
      name: `image-${index + 1}`,
      counts: 'viewport',
      delayMs: query.delayMs,
      foreignUrl: null,
    }),
  );
  return urls.map((url) => `<img src="${url}" width=100 height=75 alt>`).join('\n');
}

/** The query of the page that follows as the given one of its path. */
function continueVisit({ query: { visit, delayMs } }: Exchange, number: number): string {
  const query = new URLSearchParams({ delayMs: String(delayMs) });
  if (visit !== undefined) query.set('visit', `${visit.replace(/\.\d$/, '')}.${number}`);
  return `?${query.toString().replaceAll('&', '&amp;')}`;
}
