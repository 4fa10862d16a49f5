import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { packageRoot } from '../package-root.ts';

interface WebUiPlace {
  host: string;
  port: number;
  /** Where it sends what begins with `/api`. */
  controllerUrl: string;
}

/** The web UI by Vite's development server, which replaces changed modules in the open page. Throws AppError 'port-taken'. */
export async function serveLiveWebUi({
  host,
  port,
  controllerUrl,
}: WebUiPlace): Promise<AsyncDisposable & { url: string }> {
  process.env.HTTP_AE_CONTROLLER = controllerUrl; // read by its configuration
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: path.join(packageRoot, 'web-ui/vite.config.ts'),
    server: { host, port, strictPort: true },
    clearScreen: false,
    logLevel: 'warn',
  });
  try {
    await server.listen();
  } catch (cause) {
    await server.close();
    throw new AppError('port-taken', `Port ${port} is in use: choose another with --port`, { cause });
  }
  return { url: `http://${host}:${port}`, [Symbol.asyncDispose]: () => server.close() };
}
