import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { ToolError } from '../namespaces/run-tool.ts';

const table = 'http_ae_pep';
const counter = 'passed';
/** Of packets that a local socket is to get, at the address of another host: their mark, and the routes that such packets take. */
const mark = '1';
const routes = '100';

export interface DivertOptions {
  /** By which connections of users come. */
  interface: string;
  /** Of the node itself: what is sent to it needs no diverting. */
  ownAddress: string;
  /** Where the program listens that gets them. */
  port: number;
}

/** Connections that are handed to a local program, until this is disposed of. */
export interface Diversion extends AsyncDisposable {
  /** Connections that passed the node since, instead of being handed over. */
  countPassed(): Promise<number>;
}

/**
 * Hands every TCP connection of users that comes to a node to a program there, with both addresses as they are (the kernel's TPROXY), and every packet that answers
 * a connection of that program, which has a user's address. Throws `testbed-refused` where the kernel or nftables cannot.
 */
export async function divertConnections(
  enter: Enter,
  { interface: name, ownAddress, port }: DivertOptions,
): Promise<Diversion> {
  await using undo = new AsyncDisposableStack();
  await runNft(
    enter,
    [
      `add table ip ${table}`,
      `add counter ip ${table} ${counter}`,
      `add chain ip ${table} arriving { type filter hook prerouting priority mangle; }`,
      `add rule ip ${table} arriving meta l4proto tcp socket transparent 1 meta mark set ${mark} accept`,
      `add rule ip ${table} arriving iifname "${name}" ip daddr != ${ownAddress} meta l4proto tcp tproxy to :${port} meta mark set ${mark} accept`,
      `add chain ip ${table} passing { type filter hook forward priority filter; }`,
      `add rule ip ${table} passing iifname "${name}" tcp flags & (syn | ack) == syn counter name ${counter}`,
    ].join('\n'),
  );
  undo.defer(() => runNft(enter, `delete table ip ${table}`));
  await runIn(enter, 'ip', 'rule', 'add', 'fwmark', mark, 'lookup', routes);
  undo.defer(async () => {
    await runIn(enter, 'ip', 'rule', 'delete', 'fwmark', mark, 'lookup', routes);
  });
  const toLocal = ['local', '0.0.0.0/0', 'dev', 'lo', 'table', routes] as const;
  await runIn(enter, 'ip', 'route', 'add', ...toLocal);
  undo.defer(async () => {
    await runIn(enter, 'ip', 'route', 'delete', ...toLocal);
  });
  const remove = undo.move();
  return {
    countPassed: () => readCounter(enter),
    [Symbol.asyncDispose]: () => remove.disposeAsync(),
  };
}

const CountersSchema = z.object({
  nftables: z.array(z.object({ counter: z.object({ name: z.string(), packets: z.number() }).optional() })),
});

async function readCounter(enter: Enter): Promise<number> {
  const printed = await runIn(enter, 'nft', '--json', 'list', 'counter', 'ip', table, counter);
  const { nftables } = CountersSchema.parse(JSON.parse(printed));
  return nftables.find((each) => each.counter?.name === counter)?.counter?.packets ?? 0;
}

async function runNft(enter: Enter, rules: string): Promise<void> {
  try {
    await runIn(enter, 'nft', rules);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new AppError('testbed-refused', `tcpPep needs a kernel with nftables and TPROXY: ${error.message}`, {
      cause: error,
    });
  }
}
