import path from 'node:path';
import type { BackgroundLoad } from '#core/evaluation/scenarios/background-load.ts';
import type { NetworkFigure } from '#core/protocol/network-figure.ts';
import { startPlaceProcess } from '../namespaces/place-process.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { backgroundFigures, DatagramAnswerSchema } from './background-figures.ts';
import { FlowAnswerSchema, type BackgroundOrder } from './flow-messages.ts';

export interface RunningBackground extends AsyncDisposable {
  /** Sends nothing more. What is on the link stays on it. */
  stop(): Promise<void>;
  /** What both ends counted. */
  figures(): Promise<NetworkFigure[]>;
}

const answerWithinMs = 15_000;
const ends = ['ground', 'remote'] as const;

/** Starts the senders of background load at both ends of the link. They end with this process, however that ends. Throws `testbed-failed`. */
export async function startBackground(network: TestbedNetwork, loads: BackgroundLoad): Promise<RunningBackground> {
  await using resources = new AsyncDisposableStack();
  const voices = loads.find(({ kind }) => kind === 'voice')?.users ?? 0;
  // `ground` first: it listens.
  const started = [];
  for (const end of ends) {
    started.push({
      end,
      flows: resources.use(await startFlows(network, { end, loads })),
      datagrams: resources.use(await startDatagrams(network, { end, voices })),
    });
  }
  const [ground, remote] = started as [(typeof started)[number], (typeof started)[number]];
  const askAll = (order: BackgroundOrder) =>
    Promise.all([
      ground.flows.ask(order, answerWithinMs),
      remote.flows.ask(order, answerWithinMs),
      ground.datagrams.ask(order, answerWithinMs),
      remote.datagrams.ask(order, answerWithinMs),
    ]);
  await askAll({ kind: 'begin' });
  const stack = resources.move();
  return {
    stop: async () => {
      await askAll({ kind: 'stop' });
    },
    figures: async () => {
      const [flowsAtGround, flowsAtRemote, datagramsAtGround, datagramsAtRemote] = await askAll({ kind: 'report' });
      return backgroundFigures({
        flows: { ground: flowsAtGround, remote: flowsAtRemote },
        datagrams: { ground: datagramsAtGround, remote: datagramsAtRemote },
        hasVoice: voices > 0,
      });
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function startFlows(network: TestbedNetwork, { end, loads }: { end: 'ground' | 'remote'; loads: BackgroundLoad }) {
  return startPlaceProcess<BackgroundOrder, ReturnType<typeof FlowAnswerSchema.parse>>({
    network,
    place: end,
    program: path.join(import.meta.dirname, 'flow-process.ts'),
    args: [JSON.stringify({ end, groundAddress: network.ground.address, loads })],
    answerSchema: FlowAnswerSchema,
    name: `The background load in ${end}`,
    // It may send as fast as the machine can: then it must not keep the link waiting.
    isOrdinary: true,
  });
}

function startDatagrams(network: TestbedNetwork, { end, voices }: { end: 'ground' | 'remote'; voices: number }) {
  const peer = end === 'ground' ? 'remote' : 'ground';
  const options = { own: network[end].address, peer: network[peer].address, sendsPings: end === 'remote', voices };
  return startPlaceProcess<BackgroundOrder, ReturnType<typeof DatagramAnswerSchema.parse>>({
    network,
    place: end,
    program: path.join(import.meta.dirname, 'datagram-process.ts'),
    args: [JSON.stringify(options)],
    answerSchema: DatagramAnswerSchema,
    name: `The background load’s datagrams in ${end}`,
  });
}
