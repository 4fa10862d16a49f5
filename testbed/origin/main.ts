import { AppError } from '#core/app-error.ts';
import { parseOriginOptions } from './origin-options.ts';
import { startOrigin } from './start-origin.ts';

/**
 * The origin alone: `node testbed/origin/main.ts ['{"host":"127.0.0.1","ports":{"http":8080}}']`. The argument is the
 * options in JSON. Prints the URLs and the trusted key as one line of JSON, and serves until SIGINT, SIGTERM, or the end of the process that started it with a channel.
 */
async function main(): Promise<void> {
  const origin = await startOrigin(parseOriginOptions(parseArgument(process.argv[2] ?? '{}')));
  const stopped = Promise.withResolvers<undefined>();
  process.once('SIGINT', () => stopped.resolve(undefined));
  process.once('SIGTERM', () => stopped.resolve(undefined));
  // The process that started it with a channel is gone, also by kill -9.
  if (process.channel !== undefined) process.once('disconnect', () => stopped.resolve(undefined));
  origin.failed.addEventListener('abort', () => stopped.reject(origin.failed.reason));
  const { httpUrl, httpsUrl, http2Url, crossOriginUrl, urls, ipv6Urls, trustedKey } = origin;
  console.log(JSON.stringify({ httpUrl, httpsUrl, http2Url, crossOriginUrl, urls, ipv6Urls, trustedKey }));
  try {
    await stopped.promise;
  } finally {
    await origin.close();
    process.channel?.unref(); // an open channel would keep this process
  }
}

function parseArgument(argument: string): unknown {
  try {
    return JSON.parse(argument);
  } catch (cause) {
    throw new AppError('invalid-input', `The origin's options must be JSON, such as {"seed":7}, not ${argument}`, {
      cause,
    });
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof AppError ? error.message : error);
  process.exitCode = 1;
}
