import { epochClock } from '#core/clock/epoch-clock.ts';
import { prepareImages, type PreparedImages } from '../../origin/objects/prepare-images.ts';
import type { Arrival, SocketArrival } from '../../origin/open-listener.ts';
import { routeRequests } from '../../origin/route-requests.ts';
import { serveRequest } from '../../origin/serve-request.ts';
import { serveTruth, truthPath } from '../../origin/start-origin.ts';
import { openTaskSocket, OpenTasks } from '../../origin/tasks/open-task-socket.ts';
import type { TruthRecorder } from '../../origin/truth-log.ts';
import type { ServedHost } from './servers-messages.ts';

/** Made once: other hosts have the same. */
let prepared: Promise<PreparedImages> | null = null;

/** What all hosts answer. */
export interface HostContent extends AsyncDisposable {
  /** Answers a request to the host of that name. */
  serve(arrival: Arrival, host: string): void;
  /** Answers a request for a WebSocket. */
  upgrade(arrival: SocketArrival): void;
}

/** The pages of the origin, on every host, each after the host's think time. Port 80 of each has the log of all, as `/__truth`. */
export async function openGeneratedContent({
  hosts,
  recorder,
}: {
  hosts: readonly ServedHost[];
  recorder: TruthRecorder;
}): Promise<HostContent> {
  const tasks = new OpenTasks(epochClock);
  prepared ??= prepareImages({ folder: undefined, seed: 1 });
  const route = routeRequests(await prepared, tasks);
  const names = hosts.flatMap((host) => host.names);
  const thinkTimesMs = new Map(hosts.flatMap((host) => host.names.map((name) => [name, host.thinkTimeMs] as const)));
  return {
    serve: (arrival, host) => {
      const { request, response, connection } = arrival;
      if (connection.truth.listener === 'http' && request.url?.startsWith(truthPath)) {
        serveTruth(request, response, recorder);
        return;
      }
      const next = names[(names.indexOf(host) + 1) % names.length]!;
      void serveRequest(arrival, {
        recorder,
        readEpochMs: epochClock,
        crossOriginUrl: `//${next}`,
        host,
        hosts: names,
        handle: async (exchange) => {
          await exchange.wait(thinkTimesMs.get(host) ?? 0);
          await route(exchange);
        },
      });
    },
    upgrade: (arrival) => openTaskSocket(arrival, { tasks, readEpochMs: epochClock }),
    [Symbol.asyncDispose]: () => {
      tasks[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
