import { ControllerLine, type LineOptions, type LineSocket, type SocketEvents } from '#core/agent/controller-line.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';

/** A browser may hold up the background for a while. */
const silenceMs = { unwelcome: 10_000, welcome: 45_000 };

export interface LinkOptions extends Pick<LineOptions, 'token' | 'hello' | 'onMessage' | 'sleep'> {
  controllerUrl: string;
  /** The line is down; it is made again for as long as it takes, unless it `isFinal`. */
  onDown: (why: { problem: string; isFinal: boolean }) => void;
}

/** The line of the extension. */
export class ControllerLink {
  readonly #line: ControllerLine;
  readonly #end = new AbortController();

  constructor({ controllerUrl, onDown, ...options }: LinkOptions) {
    this.#line = new ControllerLine({
      ...options,
      controllerUrls: [controllerUrl],
      openSocket,
      silenceMs,
      onDown: ({ wasWelcome }) =>
        onDown({
          problem: wasWelcome
            ? 'The connection to the Controller is lost. Connecting again.'
            : `No Controller answers at ${controllerUrl}. Check the address, and that it runs. Trying again.`,
          isFinal: false,
        }),
      warn: (problem) => console.error(problem),
    });
    void this.#line.hold(this.#end.signal).then((refusal) => {
      if (refusal && !this.#end.signal.aborted) onDown({ problem: refusal.message, isFinal: true });
    });
  }

  /** `attached`: what is sent beside the message. */
  send(message: AgentMessage, attached: readonly Uint8Array[] = []): void {
    this.#line.send(message, attached);
  }

  /** Says hello again, over a new connection. */
  renew(): void {
    this.#line.renew();
  }

  /** For good. */
  close(): void {
    this.#end.abort();
  }
}

function openSocket(url: URL, protocols: string[], { onOpen, onText, onClose }: SocketEvents): LineSocket {
  const socket = new WebSocket(url, protocols);
  socket.onopen = onOpen;
  socket.onmessage = ({ data }: MessageEvent<string>) => onText(data);
  socket.onclose = () => onClose(null);
  return {
    send: (data) => socket.send(data),
    close: () => {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    },
  };
}
