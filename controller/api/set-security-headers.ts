import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * The pages load nothing from elsewhere, run no script inside a page, and are framed by nobody. Style sheets may be in
 * a page, because the component library writes its colours there.
 */
export function setSecurityHeaders({ isSecure }: { isSecure: boolean }): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'blob:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'manifest-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    strictTransportSecurity: isSecure,
    // Browsers heed it over https only, and warn about it elsewhere.
    crossOriginOpenerPolicy: isSecure,
    xFrameOptions: { action: 'deny' },
  });
}
