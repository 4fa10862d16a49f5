import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { RequestHandler } from 'express';
import { AppError } from '#core/app-error.ts';

/**
 * Refuses requests for a name that is not the Controller's. A web page can have its own name point to this machine (DNS rebinding), and is then of
 * the same origin for the browser. An address cannot be pointed elsewhere; who sends a token is no page that was misled; HTTP/1.0 knows no Host.
 */
export function refuseForeignHost({ host, publicUrl }: { host: string; publicUrl: string | null }): RequestHandler {
  const own = hostname().toLowerCase();
  const names = new Set(['localhost', host.toLowerCase(), own, `${own}.local`]);
  if (publicUrl !== null) names.add(new URL(publicUrl).hostname);

  return (request, _response, next) => {
    const name = nameIn(request.headers.host);
    if (
      request.headers.authorization !== undefined ||
      name === null ||
      isAddress(name) ||
      name.endsWith('.localhost') ||
      names.has(name)
    ) {
      next();
      return;
    }
    throw new AppError(
      'not-allowed',
      `The Controller does not have the name ${JSON.stringify(name)}: use its IP address, or start it with --public-url and its public address`,
    );
  };
}

/** Without the port, in lower case and without the dot of the root; null where none was sent. What is no host is given back as it is. */
function nameIn(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  const url = `http://${header}`;
  return (URL.canParse(url) ? new URL(url).hostname : header).toLowerCase().replace(/\.$/, '');
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
