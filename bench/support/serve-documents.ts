import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PackageFiles } from '#cli/site/corpus/serve-package.ts';
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
const { folders, protocol } = JSON.parse(process.argv[2]!) as DocumentServerOptions;
const authority = await createAuthority(epochClock());
const certificate = await issueCertificate(authority, { hosts: [host], nowEpochMs: epochClock() });
let log: LoggedRequest[] = [];

const urls = await Promise.all(
  folders.map(async (folder) => {
    const files = new PackageFiles(folder);
    const server = createServer(allListeners[protocol], {
      certificate,
      serve: (request, response) => void serve(request, response, files),
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

async function serve(request: AnyRequest, response: AnyResponse, files: PackageFiles): Promise<void> {
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
  const { status, type, file, packed } = await files.answer(pathname);
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

function readHeader(request: AnyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
