import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import type { AnyRequest, AnyResponse } from '#testbed/origin/create-server.ts';
import { hashPublicKey } from '#testbed/origin/start-origin.ts';
import { nameHostsInText } from './spread-files.ts';

export interface ServedPackage extends AsyncDisposable {
  /** Of all hosts, on this machine. */
  port: number;
  trustedKey: string;
}

/** Serves the files of an unpacked package at several hosts, by HTTP/2 and HTTP/1.1 over TLS. Each host has a certificate of its own, so that no connection is shared. */
export async function servePackage(folder: string, hosts: readonly string[]): Promise<ServedPackage> {
  const nowEpochMs = epochClock();
  const authority = await createAuthority(nowEpochMs);
  const contexts = new Map<string, SecureContext>();
  for (const host of hosts)
    contexts.set(host, createSecureContext(await issueCertificate(authority, { hosts: [host], nowEpochMs })));
  const files = new PackageFiles(folder);
  const change = (text: string, file: string) =>
    nameHostsInText(text, { file, hosts, isThere: (other) => files.has(other) });
  const serve = async (request: AnyRequest, response: AnyResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'https://package.test');
    const { status, type, file, packed } = await files.answer(pathname, change);
    const isPacked = packed !== null && String(request.headers['accept-encoding']).includes('gzip');
    const body = isPacked ? packed : file;
    response.statusCode = status;
    response.setHeader('content-type', type);
    response.setHeader('content-length', body.length);
    response.setHeader('cache-control', 'max-age=600');
    // Fonts and modules of another host need it.
    response.setHeader('access-control-allow-origin', '*');
    if (isPacked) response.setHeader('content-encoding', 'gzip');
    response.end(body);
  };
  const server = createSecureServer(
    {
      allowHTTP1: true,
      SNICallback: (name, answer) => {
        const context = contexts.get(name);
        answer(context ? null : new Error(`${name} is no host of this package`), context);
      },
    },
    (request, response) => void serve(request, response),
  );
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    trustedKey: hashPublicKey(authority.certificate),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
};
const isText = /^(?:text\/|application\/(?:json|xml)|image\/svg)/;

/** As a server sends it. */
interface FileAnswer {
  status: number;
  type: string;
  file: Buffer;
  /** The file in gzip; null for what does not get smaller. */
  packed: Buffer | null;
}

/** What is done to an HTML or CSS file before it is sent. */
type ChangeText = (text: string, file: string) => string;

/** The files of an unpacked package, each read once. */
export class PackageFiles {
  readonly #folder: string;
  readonly #answers = new Map<string, Promise<FileAnswer>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(file: string): boolean {
    return existsSync(path.join(this.#folder, path.posix.normalize(file)));
  }

  /** `change` is the same at each call. */
  answer(pathname: string, change?: ChangeText): Promise<FileAnswer> {
    const known = this.#answers.get(pathname) ?? this.#prepare(pathname, change);
    this.#answers.set(pathname, known);
    return known;
  }

  /** Links within a folder are followed, as between packages of Debian. */
  async #prepare(pathname: string, change?: ChangeText): Promise<FileAnswer> {
    const root = await realpath(this.#folder);
    try {
      const wanted = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      const place = await realpath(path.join(root, wanted));
      if (!place.startsWith(root + path.sep)) throw new Error(`${pathname} is outside`);
      const type = types[path.extname(wanted)] ?? 'application/octet-stream';
      const read = await readFile(place);
      const file =
        change && /^text\/(?:html|css)/.test(type) ? Buffer.from(change(read.toString('utf8'), wanted)) : read;
      const packed = isText.test(type) ? gzipSync(file) : null;
      return { status: 200, type, file, packed: packed && packed.length < file.length ? packed : null };
    } catch {
      return { status: 404, type: 'text/plain', file: Buffer.from('There is no such file.\n'), packed: null };
    }
  }
}
