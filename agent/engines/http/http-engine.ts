import { createRequire } from 'node:module';
import type { Engine } from '../engine.ts';
import { HttpSession } from './http-session.ts';

const require = createRequire(import.meta.url);
const versionOf = (manifest: string) => (require(manifest) as { version: string }).version;

/**
 * A client that loads pages without rendering them, which is always there: it fetches what a browser would, runs no script and lays nothing out
 * (docs/http-engine.md).
 */
export function openHttpEngine(): Engine {
  const browserVersion = `HTTP-AE-http/${versionOf('../../../package.json')} undici/${versionOf('undici/package.json')}`;
  return {
    name: 'http',
    browserVersion,
    open: ({ signal, osUser = null, pageLoad, browser, recordsHeaders = false }) => {
      const userAgent = browser.userAgentString ?? `Mozilla/5.0 (compatible; ${browserVersion})`;
      return HttpSession.open({ browserVersion, userAgent, osUser, pageLoad, browser, recordsHeaders }, signal);
    },
  };
}
