import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket, connect } from 'node:net';
import { realTime, type Time } from '#core/clock/time.ts';
import { AppError } from '#core/app-error.ts';
import { greetRemote } from '../tunnel/greet.ts';
import { isPublicAddress, makeAddressPolicy, type AddressPolicy } from './address-policy.ts';
import { Bundler } from './bundle/bundler.ts';
import { ElementRooms } from './bundle/element-rooms.ts';
import { AnswerPacker } from './compress/answer-packer.ts';
import { GroundCounters } from './ground-counters.ts';
import { GroundTunnels, type GroundSettings } from './ground-tunnels.ts';
import { addressMs, checkLiteral, NameLookups } from './name-lookups.ts';
import { limitConnecting, OriginConnections } from './origin-connections.ts';
import { QuestionSchema, type ConnectHead } from '../exchange/heads.ts';
import { unpack } from '../exchange/pack.ts';
import { readRecords, recordTypes, type ExchangeRecord } from '../exchange/read-records.ts';
import { TunnelError } from '../tunnel/tunnel-error.ts';
import type { Tunnel } from '../tunnel/tunnel.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import { serveRequest, type CountOfUser } from './serve-user-request.ts';
import { joinSocket, stillMs } from '../exchange/join-socket.ts';

/** How many connections may greet at a time that have not shown to know the key. One more takes the place of the oldest. */
const maxStrangers = 64;
/** How many others may greet at a time. */
const maxAcquainted = 256;
/** A connection on which nothing came for so long is closed. The remote end pings more often. */
const silenceMs = 60_000;

export interface Ground extends AsyncDisposable {
  port: number;
  readonly counters: GroundCounters;
}

interface GroundOptions extends GroundSettings {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** A line for the operator. */
  onNote: (text: string) => void;
  /** Of the system unless given. */
  names?: NameLookups;
  /** Of the usual size unless given. */
  rooms?: ElementRooms;
}

/** Starts the end of HTTPEP that fetches from the web servers. Throws `port-taken`. */
export async function startGround({
  host,
  port,
  onNote,
  names = new NameLookups(),
  rooms = new ElementRooms(),
  ...settings
}: GroundOptions): Promise<Ground> {
  const mayReach = makeAddressPolicy(settings.allowPrivate);
  const { sleep } = settings.time ?? realTime;
  const origins = new OriginConnections({ mayReach, names, trustedKeys: settings.trustedKeys, sleep });
  const packer = new AnswerPacker(settings.compression, sleep);
  const bundler =
    settings.bundling &&
    new Bundler({
      origins,
      packer,
      display: settings.bundling,
      rooms,
      count: (...counted) => counters.add(...counted),
    });
  const tunnels = new GroundTunnels(settings, (tunnel) => {
    tunnel.on(
      'stream',
      (stream) =>
        void serveStream(stream, { settings, mayReach, names, sleep, origins, packer, bundler, counters, tunnel }),
    );
  });
  const counters = new GroundCounters(tunnels);
  const sockets = new Set<Socket>();
  const strangers = new Set<Socket>();
  const acquainted = new Set<Socket>();

  const greet = async (socket: Socket) => {
    if (strangers.size >= maxStrangers) [...strangers][0]!.destroy();
    strangers.add(socket);
    try {
      const { tunnel, slot, session } = await greetRemote(socket, {
        key: settings.key,
        findSession: (name) => tunnels.findSession(name),
        onAcquainted: () => {
          strangers.delete(socket);
          if (acquainted.size < maxAcquainted) acquainted.add(socket);
          else socket.destroy();
        },
      });
      tunnels.attach(socket, { name: tunnel.toString('hex'), slot, session });
      socket.setTimeout(silenceMs, () => socket.destroy());
    } catch (error) {
      onNote(
        `Refused a connection from ${socket.remoteAddress ?? 'an address that is gone'}: ${(error as Error).message}`,
      );
      socket.destroy();
    } finally {
      strangers.delete(socket);
      acquainted.delete(socket);
    }
  };
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    void greet(socket);
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw new AppError('port-taken', `Cannot listen on ${host}:${port} (${(error as Error).message})`, {
      cause: error,
    });
  }
  return {
    port: (server.address() as AddressInfo).port,
    counters,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      tunnels[Symbol.dispose]();
      origins[Symbol.dispose]();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Service {
  settings: Pick<GroundSettings, 'classOf' | 'connectPorts'>;
  mayReach: AddressPolicy;
  names: NameLookups;
  sleep: Time['sleep'];
  origins: OriginConnections;
  packer: AnswerPacker;
  counters: GroundCounters;
  /** Null: nothing is fetched ahead. */
  bundler: Bundler | null;
  tunnel: Tunnel;
}

/** Answers a stream that the remote end opened. Never rejects: what fails ends the stream. */
async function serveStream(stream: TunnelStream, service: Service): Promise<void> {
  stream.on('error', () => undefined);
  stream.on('stopped', () => stream.destroy());
  const { settings, mayReach, names, sleep, origins, packer, bundler, counters, tunnel } = service;
  const records = readRecords(stream);
  try {
    const first = await records.next();
    if (first.done || first.value.type !== recordTypes.head) throw new TunnelError('protocol', 'A stream has no head');
    const head = unpack(first.value.bytes, QuestionSchema);
    stream.flow.user = head.user;
    stream.flow.userClass = settings.classOf(head.user);
    const count: CountOfUser = (name, by) => counters.add(head.user, name, by);
    if (head.kind === 'connect') {
      count('connects');
      const mayConnect = limitPorts(mayReach, { ports: settings.connectPorts, port: head.port });
      await serveConnect(stream, { head, records, names, sleep, mayReach: mayConnect });
      return;
    }
    count('requests');
    const chooseScan = bundler?.scanPages({ head, stream, tunnel }) ?? (() => null);
    await serveRequest({ stream, head, records, origins, packer, chooseScan, count });
  } catch (error) {
    stream.destroy(error as Error);
  }
}

/** CONNECT carries anything: to the public network by certain ports alone, so that no user sends mail by it, or worse. */
function limitPorts(
  mayReach: AddressPolicy,
  { ports, port }: { ports: ReadonlySet<number> | 'all'; port: number },
): AddressPolicy {
  if (ports === 'all' || ports.has(port)) return mayReach;
  return (address) => mayReach(address) && !isPublicAddress(address);
}

interface Asked {
  head: ConnectHead;
  records: AsyncIterator<ExchangeRecord>;
  names: NameLookups;
  sleep: Time['sleep'];
  mayReach: AddressPolicy;
}

/** Connects to a host, and passes bytes both ways. The browser has its answer already: a failure closes its connection. */
async function serveConnect(stream: TunnelStream, { head, records, names, sleep, mayReach }: Asked): Promise<void> {
  const { host, port, user } = head;
  try {
    checkLiteral(host, mayReach);
  } catch {
    stream.destroy();
    return;
  }
  const socket = connect({
    host,
    port,
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: stillMs,
    lookup: names.of({ user, mayReach }),
    autoSelectFamilyAttemptTimeout: addressMs,
  });
  await joinSocket(limitConnecting(socket, sleep), { stream, records });
}
