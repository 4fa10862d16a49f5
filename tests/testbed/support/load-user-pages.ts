import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { imagePaths, makeContent, readMonotonicMs, type LoadLine } from './user-pages.ts';

/** Loads the page of `serve-user-pages.ts` through a proxy as each of the users, and an image as the watcher, one load after another. Prints LoadLines, and runs until it is killed. */
const { users, watcher, proxyPort, originUrl } = JSON.parse(process.argv[2]!) as {
  users: string[];
  watcher: string;
  proxyPort: number;
  originUrl: string;
};
const pauseMs = 100;

function ask(user: string, path: string): Promise<string> {
  const expected = makeContent(user, path);
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = request(
    {
      ...{ host: '127.0.0.1', port: proxyPort, path: `${originUrl}${path}`, agent: false },
      headers: {
        'proxy-authorization': `Basic ${btoa(`${user}:secret of ${user}`)}`,
        cookie: `user=${user}`,
        accept: path === '/page' ? 'text/html' : 'image/*',
      },
    },
    (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (part: string) => (text += part));
      response.on('error', () => undefined); // it is closed then
      response.on('close', () => {
        if (response.statusCode !== 200) resolve(String(response.statusCode));
        else if (!expected.startsWith(text)) resolve('foreign');
        else resolve(response.complete && text === expected ? 'whole' : 'broken');
      });
    },
  );
  asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  asked.end();
  return promise;
}

async function load(user: string, path: string): Promise<boolean> {
  const startedMs = readMonotonicMs();
  const outcome = await ask(user, path);
  print({ user, path, startedMs, endedMs: readMonotonicMs(), outcome });
  return outcome === 'whole';
}

const print = (line: LoadLine) => console.log(JSON.stringify(line));

async function loadPages(user: string): Promise<never> {
  for (;;) {
    const startedMs = readMonotonicMs();
    const isPageWhole = await load(user, '/page');
    const images = isPageWhole ? await Promise.all(imagePaths.map((path) => load(user, path))) : [];
    if (isPageWhole && images.every(Boolean)) {
      print({ user, path: 'all', startedMs, endedMs: readMonotonicMs(), outcome: 'whole' });
    } else {
      await pause(pauseMs);
    }
  }
}

async function watch(user: string): Promise<never> {
  for (;;) {
    await load(user, imagePaths[0]!);
    await pause(pauseMs);
  }
}

await Promise.all([...users.map(loadPages), watch(watcher)]);
