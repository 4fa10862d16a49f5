import type { OwnListenerName } from './listeners.ts';
import { type Arrival, type Listener, type ListenerOptions, openListener } from './open-listener.ts';

export interface Listeners {
  /** Of those that were opened. */
  ports: ReadonlyMap<OwnListenerName, number>;
  /** Closes all of them; to call it again does nothing more. */
  close(): Promise<void>;
}

interface ListenersOptions extends Omit<ListenerOptions, 'name' | 'port' | 'serve'> {
  names: readonly OwnListenerName[];
  ports: Partial<Record<OwnListenerName, number | undefined>>;
  /** With the listener at which it arrived, and the ports of all. */
  serve: (arrival: Arrival, at: { name: OwnListenerName; ports: Listeners['ports'] }) => void;
}

/** Opens all listeners or none. Throws `port-taken`. */
export async function openListeners({ names, ports, serve, ...shared }: ListenersOptions): Promise<Listeners> {
  const open: Listener[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((listener) => listener.close()));
  };
  const opened = new Map<OwnListenerName, number>();
  try {
    for (const name of names) {
      const listener = await openListener({
        ...shared,
        name,
        port: ports[name] ?? 0,
        serve: (arrival) => serve(arrival, { name, ports: opened }),
      });
      open.push(listener);
      opened.set(name, listener.port);
    }
    return { ports: opened, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
