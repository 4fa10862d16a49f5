import { type Arrival, type Listener, type ListenerOptions, openListener } from './open-listener.ts';
import type { ListenerName } from './truth-log.ts';

export interface Listeners {
  ports: Record<ListenerName, number>;
  /** Closes all of them; to call it again does nothing more. */
  close(): Promise<void>;
}

interface ListenersOptions extends Omit<ListenerOptions, 'name' | 'port' | 'serve'> {
  ports: Partial<Record<ListenerName, number | undefined>>;
  serve: (arrival: Arrival, name: ListenerName) => void;
}

/** Opens all listeners or none. Throws `port-taken`. */
export async function openListeners({ ports, serve, ...shared }: ListenersOptions): Promise<Listeners> {
  const open: Listener[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((listener) => listener.close()));
  };
  const openNamed = async (name: ListenerName): Promise<number> => {
    const listener = await openListener({
      ...shared,
      name,
      port: ports[name] ?? 0,
      serve: (arrival) => serve(arrival, name),
    });
    open.push(listener);
    return listener.port;
  };

  try {
    const opened = {
      http: await openNamed('http'),
      https: await openNamed('https'),
      http2: await openNamed('http2'),
      crossOrigin: await openNamed('crossOrigin'),
    };
    return { ports: opened, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
