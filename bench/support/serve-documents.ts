import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { hashPublicKey } from '#testbed/origin/start-origin.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { createServer, type AnyRequest, type AnyResponse } from '#testbed/origin/create-server.ts';
import { allListeners } from '#testbed/origin/listeners.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { DocumentServerOptions, LoggedRequest, ServedFolders } from './start-document-server.ts';

/**
 * The process of `startDocumentServer`. It serves each folder at a port of its own, text in gzip where the client takes it, and logs what it served. As at the origin, times are
 * those at which Node learnt of the event.
 */
const host = '127.0.0.1';
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

interface Answer {
  status: number;
  type: string;
  file: Buffer;
  /** Null for what does not get smaller. */
  packed: Buffer | null;
}

const { folders, protocol } = JSON.parse(process.argv[2]!) as DocumentServerOptions;
const authority = await createAuthority(epochClock());
const certificate = await issueCertificate(authority, { hosts: [host], nowEpochMs: epochClock() });
let log: LoggedRequest[] = [];

const urls = await Promise.all(
  folders.map(async (folder) => {
    const answers = new Map<string, Promise<Answer>>();
    const server = createServer(allListeners[protocol], {
      certificate,
      serve: (request, response) => void serve(request, response, { folder, answers }),
    });
    server.listen(0, host);
    await once(server, 'listening');
    return `${protocol === 'http' ? 'http' : 'https'}://${host}:${(server.address() as AddressInfo).port}`;
  }),
);

process.on('message', () => {
  process.send!(log);
  log = [];
});
process.once('disconnect', () => process.exit());
process.send!({ urls, trustedKey: hashPublicKey(authority.certificate) } satisfies ServedFolders);

async function serve(
  request: AnyRequest,
  response: AnyResponse,
  { folder, answers }: { folder: string; answers: Map<string, Promise<Answer>> },
): Promise<void> {
  const arrivedEpochMs = epochClock();
  const { socket } = request;
  const writtenBefore = socket.bytesWritten;
  const target = request.url ?? '/';
  const record: LoggedRequest = {
    port: socket.localPort!,
    target,
    method: request.method ?? 'GET',
    destination: readHeader(request, 'sec-fetch-dest'),
    purpose: readHeader(request, 'sec-purpose'),
    status: 0,
    arrivedEpochMs,
    endedEpochMs: null,
    isComplete: false,
    fileBytes: 0,
    bodyBytes: 0,
    wireBytes: null,
  };
  log.push(record);
  const end = (isComplete: boolean) => {
    if (record.endedEpochMs !== null) return;
    record.endedEpochMs = epochClock();
    record.isComplete = isComplete;
    // With HTTP/1.1, a connection carries one answer at a time.
    if (request.httpVersionMajor === 1) record.wireBytes = socket.bytesWritten - writtenBefore;
  };
  response.once('finish', () => end(true));
  response.once('close', () => end(false));

  const { pathname } = new URL(target, 'http://documents');
  const known = answers.get(pathname) ?? prepare(folder, pathname);
  answers.set(pathname, known);
  const { status, type, file, packed } = await known;
  const isPacked = packed !== null && (readHeader(request, 'accept-encoding') ?? '').includes('gzip');
  const body = isPacked ? packed : file;
  record.status = status;
  record.fileBytes = file.length;
  record.bodyBytes = body.length;
  response.statusCode = status;
  response.setHeader('content-type', type);
  response.setHeader('content-length', body.length);
  response.setHeader('cache-control', 'max-age=600');
  if (isPacked) response.setHeader('content-encoding', 'gzip');
  response.end(body);
}

/** Links within a folder are followed, as between packages of Debian. */
async function prepare(folder: string, pathname: string): Promise<Answer> {
  const root = await realpath(folder);
  const wanted = path.join(root, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
  try {
    const place = await realpath(wanted);
    if (!place.startsWith(root + path.sep)) throw new Error(`${pathname} is outside`);
    const type = types[path.extname(wanted)] ?? 'application/octet-stream';
    const file = await readFile(place);
    const packed = isText.test(type) ? gzipSync(file) : null;
    return { status: 200, type, file, packed: packed && packed.length < file.length ? packed : null };
  } catch {
    return { status: 404, type: 'text/plain', file: Buffer.from('There is no such file.\n'), packed: null };
  }
}

function readHeader(request: AnyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
