import { existsSync } from 'node:fs';
import path from 'node:path';
import express, { Router } from 'express';
import { AppError } from '#core/app-error.ts';

/** Serves the built web UI. Its own addresses, such as /runs/7, all lead to its one page. */
export function serveWebUi(folder: string): Router {
  const router = Router();
  const page = path.join(folder, 'index.html');

  // Vite puts a hash of the content into the names of what it writes here.
  router.use(
    '/assets',
    express.static(path.join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false, fallthrough: true }),
  );
  router.use(
    express.static(folder, { index: false, setHeaders: (response) => response.setHeader('cache-control', 'no-cache') }),
  );
  router.get('/{*path}', (request, response, next) => {
    if (path.extname(request.path) !== '' || !request.accepts('html')) {
      next();
    } else if (existsSync(page)) {
      response.sendFile(page, { headers: { 'cache-control': 'no-cache' } });
    } else {
      next(
        new AppError(
          'not-found',
          `The web UI is not built (no ${page}): start the Controller with ./http-ae, which builds it`,
        ),
      );
    }
  });
  return router;
}
