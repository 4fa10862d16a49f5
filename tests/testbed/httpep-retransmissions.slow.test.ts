import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { resolveLinkProfile, LinkProfileInputSchema } from '#core/evaluation/network/link-profile-input.ts';
import { segmentBytes } from '#httpep/pacer/count-wire-bytes.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { PlaceProgram } from './support/place-program.ts';

/** Over a link that loses this part of the packets: what the ground end counts, and what tcpdump and tshark see at its interface. */
async function measure(lossRatio: number): Promise<{ counted: number[]; seen: number }> {
  await using folder = await makeTemporaryFolder();
  const each = { rateKbps: 4000, delayMs: 50, lossRatio };
  const profile = resolveLinkProfile(LinkProfileInputSchema.parse({ forward: each, return: each }));
  await using emulated = await openEmulatedNetwork({ profile });
  const { network } = emulated;
  const [key, counters, trace] = ['key', 'counters', 'trace'].map((name) => path.join(folder.path, name));
  await writeFile(key!, 'a key that both of the processes read\n', { mode: 0o600 });
  const { address, interface: link } = network.ground;

  const enter = network.enter('ground');
  const [program, ...words] = [
    ...enter,
    'tcpdump',
    '-Z',
    'root',
    '-U',
    '-s',
    '120',
    '-i',
    link,
    '-w',
    trace!,
    'tcp port 9000',
  ];
  const dump = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  await once(dump.stderr, 'data');

  const startEnd = (end: 'ground' | 'remote', ...options: string[]) =>
    new PlaceProgram(network.enter(end), '../../../cli/main.ts', 'pep', end, '--key', key!, '--json', ...options);
  await using server = new PlaceProgram(enter, 'serve-user-pages.ts', address);
  const port = await server.readLine();
  {
    const options = ['--listen', `${address}:9000`, '--rate', '4000', '--allow-private', '--counters', counters!];
    await using ground = startEnd('ground', ...options);
    await ground.readLine();
    await using remote = startEnd('remote', '--listen', '127.0.0.1:3128', '--ground', `${address}:9000`);
    await remote.readLine();
    const urls = `http://${address}:${port}/image/[0-7]?[1-25]`;
    await runTool(...network.enter('remote'), 'curl', '-sfZ', '-x', 'http://127.0.0.1:3128', urls);
    await pause(2500); // the counters are written each second
  }
  dump.kill('SIGINT');
  await once(dump, 'close');
  // At the sender, a segment out of order is one that is sent again.
  const again = ['retransmission', 'fast_retransmission', 'spurious_retransmission', 'out_of_order'];
  const filter = `tcp.srcport == 9000 and (${again.map((name) => `tcp.analysis.${name}`).join(' or ')})`;
  const lengths = await runTool('tshark', '-r', trace!, '-Y', filter, '-T', 'fields', '-e', 'tcp.len');
  // A captured packet may be one that the card cuts up.
  const seen = lengths
    .split('\n')
    .filter(Boolean)
    .reduce((sum, length) => sum + Math.max(1, Math.ceil(Number(length) / segmentBytes)), 0);
  const lines = (await readFile(counters!, 'utf8')).trim().split('\n');
  const bySlot = new Map<string, number>();
  for (const line of lines) {
    const { kind, slot, retransmissions } = JSON.parse(line) as Record<string, unknown>;
    if (kind === 'connection') bySlot.set(String(slot), retransmissions as number);
  }
  return { counted: [...bySlot.values()], seen };
}

test('without loss, no connection of the tunnel sends a segment again', async () => {
  expect(await measure(0)).toEqual({ counted: [0, 0, 0, 0], seen: 0 });
});

test('with loss, the ground end counts the segments that tshark sees again at its interface', async () => {
  const { counted, seen } = await measure(0.01);
  const total = counted.reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThan(0);
  // A segment may be sent again after the last counter line, and tshark guesses what a segment out of order is.
  expect(Math.abs(total - seen)).toBeLessThanOrEqual(1 + 0.2 * seen);
});
