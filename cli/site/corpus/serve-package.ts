import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import type { AnyRequest, AnyResponse } from '#testbed/origin/create-server.ts';
import { hashPublicKey } from '#testbed/origin/start-origin.ts';
import { PackageFiles } from './package-files.ts';
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
