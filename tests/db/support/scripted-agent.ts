import { once } from 'node:events';
import { WebSocket } from 'ws';
import { issueToken } from '#controller/people/tokens.ts';
import { protocolVersion, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { type HostFacts } from '#core/protocol/host-facts.ts';
import { writeFrame } from '#core/protocol/read-message.ts';
import type { CompressedVisit } from '#core/protocol/sent-visit.ts';
import { compressVisit } from '#tests/support/compress-visit.ts';
import { offerToken, agentEndpoint } from '#core/protocol/line-credentials.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { TestController } from '#tests/support/controller.ts';
import { laptopFacts } from '#tests/support/join-agent.ts';

export type ScriptedAgent = Awaited<ReturnType<typeof joinScripted>>;

/** Connects and is welcomed; `next` waits for a message of a type, `say` sends one. */
export async function joinScripted({ controller }: TestController, name: string, facts: HostFacts = laptopFacts) {
  const { token } = await issueToken(controller.pool, { name, scope: 'agent', agentName: name });
  const socket = new WebSocket(agentEndpoint(controller.url), offerToken(token));
  const heard: ControllerMessage[] = [];
  let wake = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ControllerMessage;
    heard.push(message);
    wake.resolve();
    wake = Promise.withResolvers();
  });
  const closed = once(socket, 'close');
  void closed.then(() => wake.resolve());
  const say = (message: AgentMessage, attached: readonly Uint8Array[] = []) =>
    socket.send(writeFrame(message, attached));
  async function next<T extends ControllerMessage['type']>(
    ...types: T[]
  ): Promise<Extract<ControllerMessage, { type: T }>> {
    for (;;) {
      const place = heard.findIndex(({ type }) => (types as string[]).includes(type));
      if (place !== -1) return heard.splice(place, 1)[0] as Extract<ControllerMessage, { type: T }>;
      if (socket.readyState === WebSocket.CLOSED)
        throw new Error(`The line closed before "${types.join('" or "')}" came`);
      await wake.promise;
    }
  }
  await once(socket, 'open');
  say({ type: 'hello', protocolVersion, agentVersion: '0', name, facts, passes: [] });
  await next('welcome');
  /** Uploads in its turn, each Visit with its Snapshot or with what is given as one; resolves with what became of each, in order. */
  const upload = async (made: (Visit | CompressedVisit)[]) => {
    say({ type: 'visits-waiting' });
    await next('upload-visits');
    const compressed = made.map((each) => ('visit' in each ? each : compressVisit(each)));
    const visits = compressed.map(({ visit }) => visit);
    say(
      { type: 'visits', visits },
      compressed.flatMap(({ snapshot }) => (snapshot ? [snapshot] : [])),
    );
    const fates = new Map<string, string>();
    while (fates.size < visits.length) {
      const answer = await next('visits-stored', 'visits-refused');
      for (const id of answer.visitIds) fates.set(id, answer.type === 'visits-stored' ? 'stored' : answer.code);
    }
    return visits.map(({ id }) => fates.get(id));
  };
  return {
    socket,
    say,
    next,
    upload,
    closed,
    heard,
    [Symbol.asyncDispose]: async () => {
      socket.terminate();
      await closed;
    },
  };
}
