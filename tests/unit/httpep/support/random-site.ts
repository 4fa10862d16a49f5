import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** Pages whose objects are of every kind, by chance. The same seed makes the same site. */
export interface RandomSite extends AsyncDisposable {
  /** A page's URL, and those of its objects, the ones that style sheets and redirects lead to among them. */
  pages: { url: string; objects: string[] }[];
  /** Requests by path that did not say that they are direct. */
  asked: Map<string, number>;
}

interface Item {
  status: number;
  headers: string[];
  body: Buffer;
  /** Sent in so many parts, with a pause between. */
  parts: number;
  breaksOff: boolean;
}

type Random = () => number;
type Kind = 'image' | 'style' | 'script' | 'frame' | 'moved' | 'missing' | 'nothing' | 'broken' | 'large';

const kinds: Kind[] = ['image', 'image', 'image', 'image', 'image', 'style', 'style', 'script', 'frame', 'moved'];
const rareKinds: Kind[] = ['missing', 'nothing', 'broken', 'large'];

export async function startRandomSite(
  random: Random,
  { pageCount, objectCount }: { pageCount: number; objectCount: number },
): Promise<RandomSite> {
  const items = new Map<string, Item>();
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url!;
    if (request.headers['x-direct'] === undefined) asked.set(path, (asked.get(path) ?? 0) + 1);
    void send(items.get(path), response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pages = Array.from({ length: pageCount }, (_, number) => {
    const paths = addPage(items, { random, number, objectCount });
    return { url: `${origin}/page/${number}`, objects: paths.map((path) => `${origin}${path}`) };
  });
  return {
    pages,
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function addPage(
  items: Map<string, Item>,
  { random, number, objectCount }: { random: Random; number: number; objectCount: number },
): string[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const paths: string[] = [];
  const take = () => {
    const path = `/object/${number}/${paths.length}`;
    paths.push(path);
    return path;
  };
  const image = (path: string, length: number) =>
    items.set(path, makeItem(random, { type: pick(['image/png', 'image/jpeg']), body: bytesOf(random, length) }));
  const tags: string[] = [];
  while (paths.length < objectCount) {
    const path = take();
    const kind = random() < 0.15 ? pick(rareKinds) : pick(kinds);
    switch (kind) {
      case 'image':
        image(path, Math.floor(random() ** 3 * 60_000));
        tags.push(`<img src="${path}">`);
        break;
      case 'large':
        image(path, 300_000 + Math.floor(random() * 600_000));
        tags.push(`<img srcset="${path} 1x, /never 9x">`);
        break;
      case 'style': {
        const inner = Array.from({ length: Math.floor(random() * 3) }, take);
        for (const each of inner) image(each, 5000);
        const rules = inner.map((each) => `p { background: url(${each}) }`).join('\n');
        items.set(path, makeItem(random, { type: 'text/css', body: Buffer.from(rules) }));
        tags.push(`<link rel=stylesheet href="${path}">`);
        break;
      }
      case 'script':
        items.set(path, makeItem(random, { type: 'text/javascript', body: bytesOf(random, 3000) }));
        tags.push(`<script src="${path}"></script>`);
        break;
      case 'frame': {
        const inner = take();
        image(inner, 4000);
        items.set(path, makeItem(random, { type: 'text/html', body: Buffer.from(`<img src="${inner}">`) }));
        tags.push(`<iframe src="${path}"></iframe>`);
        break;
      }
      case 'moved': {
        const target = take();
        image(target, 4000);
        items.set(path, { ...makeItem(random, { type: 'text/plain', body: Buffer.from('elsewhere') }), status: 302 });
        items.get(path)!.headers.push('Location', target);
        tags.push(`<img src="${path}">`);
        break;
      }
      case 'missing':
      case 'nothing':
      case 'broken':
        items.set(
          path,
          makeItem(random, { type: 'text/plain', body: kind === 'nothing' ? null : bytesOf(random, 500) }),
        );
        Object.assign(items.get(path)!, { status: { missing: 404, nothing: 204, broken: 200 }[kind] });
        items.get(path)!.breaksOff = kind === 'broken';
        tags.push(`<img src="${path}">`);
    }
  }
  const html = `<!doctype html><title>${number}</title><p>${tags.map((tag) => `${'text '.repeat(random() * 200)}${tag}`).join('\n')}`;
  const page = makeItem(random, { type: 'text/html; charset=utf-8', body: Buffer.from(html) });
  items.set(`/page/${number}`, page);
  return paths;
}

function makeItem(random: Random, { type, body }: { type: string; body: Buffer | null }): Item {
  const coding = random() < 0.3 ? Math.floor(random() * 3) : -1;
  const encoded = !body
    ? Buffer.alloc(0)
    : coding === -1
      ? body
      : [gzipSync, brotliCompressSync, zstdCompressSync][coding]!(body);
  const hasLength = random() < 0.5;
  return {
    status: 200,
    headers: [
      ...['Content-Type', type],
      ...(body && coding !== -1 ? ['Content-Encoding', ['gzip', 'br', 'zstd'][coding]!] : []),
      ...(body && hasLength ? ['Content-Length', String(encoded.length)] : []),
      ...(random() < 0.3 ? ['Vary', ['Accept-Encoding', 'Accept', '*'][Math.floor(random() * 3)]!] : []),
      ...(random() < 0.1 ? ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2; Path=/x'] : []),
      ...['X-NuMber', String(random())],
    ],
    body: encoded,
    parts: random() < 0.3 ? 1 + Math.floor(random() * 4) : 1,
    breaksOff: false,
  };
}

async function send(item: Item | undefined, response: ServerResponse): Promise<void> {
  response.sendDate = false;
  if (!item) {
    response.writeHead(404).end('nothing there');
    return;
  }
  response.writeHead(item.status, item.headers);
  response.flushHeaders();
  const partBytes = Math.ceil(item.body.length / item.parts);
  for (let part = 0; part < item.parts; part++) {
    if (part > 0) await new Promise((resolve) => setTimeout(resolve, 3));
    const bytes = item.body.subarray(part * partBytes, (part + 1) * partBytes);
    if (item.breaksOff) {
      response.write(bytes.subarray(0, 100), () => response.socket?.destroy());
      return;
    }
    if (bytes.length > 0) response.write(bytes);
  }
  response.end();
}

function bytesOf(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}
