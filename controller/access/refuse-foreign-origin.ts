import type { Request, RequestHandler } from 'express';
import { AppError } from '#core/app-error.ts';

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests that change something and that a browser sends for a page of another site, signing in included. Browsers say so by
 * Sec-Fetch-Site, and over http, where they keep that back, by Origin. Programs send neither; who sends a token, as Agents in a browser do, needs no cookie.
 * https://www.w3.org/TR/fetch-metadata/
 */
export function refuseForeignOrigin(publicUrl: string | null): RequestHandler {
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin;
  return (request, _response, next) => {
    if (
      readingMethods.has(request.method) ||
      request.headers.authorization !== undefined ||
      isFromHere(request, publicOrigin)
    ) {
      next();
      return;
    }
    throw new AppError(
      'not-allowed',
      `A page of another site (${request.get('origin') ?? 'unnamed'}) cannot change anything here. Behind a proxy, start the Controller with --public-url and its public address`,
    );
  };
}

function isFromHere(request: Request, publicOrigin: string | null): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  if (origin === undefined || origin === publicOrigin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.get('host');
}
