import { randomBytes } from 'node:crypto';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { CertificateAuthority } from '../../origin/certificates/certificate-authority.ts';
import { issueCertificate, type ServerCertificate } from '../../origin/certificates/issue-certificate.ts';
import { openBackend } from '../../origin/front/open-backend.ts';
import { configureCaddy } from '../../origin/front/open-front.ts';
import { runCaddy } from '../../origin/front/run-caddy.ts';
import { openListener, type Arrival, type ListenerOptions } from '../../origin/open-listener.ts';
import { TruthRecorder } from '../../origin/truth-log.ts';
import { openGeneratedContent, type HostContent } from './host-content.ts';
import { openReplayContent } from './replay-content.ts';
import type { ServedHost, ServersOrder } from './servers-messages.ts';

const ports = { http: 80, https: 443 } as const;
const caddyProtocols = { 'http/1.1': 'h1', h2: 'h2', h3: 'h3' } as const;

/** The servers of all hosts: each with its address, its certificate and its protocols. What one order opened stays open until another is different. */
export class HostServers implements AsyncDisposable {
  readonly #authority: CertificateAuthority;
  readonly #onFailure: (error: unknown) => void;
  readonly #certificates = new Map<string, Promise<ServerCertificate>>();
  readonly #recorder = new TruthRecorder();
  #open = new AsyncDisposableStack();
  #served = '';

  /** `onFailure`: the front ended by itself. */
  constructor({ authority, onFailure }: { authority: CertificateAuthority; onFailure: (error: unknown) => void }) {
    this.#authority = authority;
    this.#onFailure = onFailure;
  }

  /** Throws `port-taken` and `testbed-failed`: nothing is served then. */
  async serve(order: ServersOrder): Promise<void> {
    const wanted = JSON.stringify(order);
    if (wanted === this.#served) return;
    this.#served = '';
    await this[Symbol.asyncDispose]();
    this.#open = new AsyncDisposableStack();
    await using opening = new AsyncDisposableStack();
    const { hosts, content: wantedContent } = order;
    const recorder = this.#recorder;
    const content = opening.use(
      await (wantedContent.kind === 'replay'
        ? openReplayContent({ ...wantedContent, recorder })
        : openGeneratedContent({ hosts, recorder })),
    );
    await Promise.all(hosts.map((host) => this.#certificateOf(host)));
    for (const host of hosts) await this.#listen(opening, host, content);
    const ofFront = hosts.filter(({ protocols }) => protocols.includes('h3'));
    if (ofFront.length > 0) await this.#openFront(opening, ofFront, content);
    this.#open = opening.move();
    this.#served = wanted;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#open.disposeAsync();
  }

  async #listen(opening: AsyncDisposableStack, host: ServedHost, content: HostContent): Promise<void> {
    const shared: Omit<ListenerOptions, 'name' | 'port'> = {
      host: host.address,
      certificate: await this.#certificateOf(host),
      recorder: this.#recorder,
      readEpochMs: epochClock,
      serve: (arrival) => content.serve(arrival, nameAsked(arrival, host)),
      upgrade: (arrival) => content.upgrade(arrival),
    };
    const open = async (options: Pick<ListenerOptions, 'name' | 'port' | 'isHttp2Only'>) =>
      opening.adopt(await openListener({ ...shared, ...options }), (listener) => listener.close());
    await open({ name: 'http', port: ports.http });
    if (host.protocols.includes('h3')) return;
    if (host.protocols.includes('h2'))
      await open({ name: 'http2', port: ports.https, isHttp2Only: !host.protocols.includes('http/1.1') });
    else await open({ name: 'https', port: ports.https });
  }

  /** Hosts with HTTP/3 have all their protocols by one server, so that a comparison of these compares no servers. */
  async #openFront(opening: AsyncDisposableStack, hosts: readonly ServedHost[], content: HostContent): Promise<void> {
    const hostAt = new Map(hosts.map((host) => [host.address, host]));
    const secret = randomBytes(16).toString('hex');
    const backend = await openBackend({
      secret,
      recorder: this.#recorder,
      serve: (arrival, { host: address }) => content.serve(arrival, nameAsked(arrival, hostAt.get(address)!)),
      upgrade: (arrival) => content.upgrade(arrival),
    });
    opening.adopt(backend, (each) => each.close());
    const places = hosts.map(({ address, protocols }) => ({
      listener: 'front' as const,
      host: address,
      address,
      port: ports.https,
      // Caddy has no HTTP/2 without HTTP/1.1.
      protocols: listCaddyProtocols(protocols),
    }));
    const certificates = await Promise.all(hosts.map((host) => this.#certificateOf(host)));
    const caddy = await runCaddy(configureCaddy({ places, certificates, backendPort: backend.port, secret }));
    opening.adopt(caddy, (each) => each.close());
    caddy.failed.addEventListener('abort', () => this.#onFailure(caddy.failed.reason));
  }

  #certificateOf({ names }: ServedHost): Promise<ServerCertificate> {
    const key = names.join(' ');
    const known = this.#certificates.get(key);
    if (known) return known;
    const issued = issueCertificate(this.#authority, { hosts: names, nowEpochMs: epochClock() });
    this.#certificates.set(key, issued);
    return issued;
  }
}

/** Which of its names a request is for: its first, where the request names none of them. */
function nameAsked({ request }: Arrival, { names }: ServedHost): string {
  const asked = (request.headers[':authority'] ?? request.headers.host ?? '').toString().split(':')[0]!.toLowerCase();
  return names.includes(asked) ? asked : names[0];
}

function listCaddyProtocols(protocols: ServedHost['protocols']): ('h1' | 'h2' | 'h3')[] {
  const named = protocols.map((protocol) => caddyProtocols[protocol]);
  return named.includes('h2') && !named.includes('h1') ? ['h1', ...named] : named;
}
