import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runTool } from '#testbed/namespaces/run-tool.ts';

/** Two users on this machine and a server in a namespace, on two ends of one cable. */
export interface CaptureNetwork extends AsyncDisposable {
  interface: string;
  users: readonly [string, string];
  server: { address: string; httpPort: number; controlPort: number; discardPort: number };
  /** So many in a hundred of the packets that the server sends get lost, behind the point of capture. */
  lose(percent: number): Promise<void>;
}

const users = ['10.77.0.1', '10.77.0.2'] as const;
const serverAddress = '192.0.2.9';
const ports = { httpPort: 80, controlPort: 8420, discardPort: 9 };
const program = new URL('paced-server.ts', import.meta.url);

export async function openCaptureNetwork(): Promise<CaptureNetwork> {
  const namespace = `hae-capture-${process.pid}`;
  const outside = `haec${process.pid % 100_000_000}`;
  const inside = 'server0';
  const within = ['ip', 'netns', 'exec', namespace] as const;
  await using stack = new AsyncDisposableStack();
  await runTool('ip', 'netns', 'add', namespace);
  stack.defer(() => discard('ip', 'netns', 'delete', namespace));
  await runTool('ip', 'link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', namespace);
  stack.defer(() => discard('ip', 'link', 'delete', outside));

  // With offloads on, a captured packet is what the card would cut up.
  const offloads = ['tso', 'gso', 'gro', 'tx', 'rx', 'sg'].flatMap((name) => [name, 'off']);
  await runTool('ethtool', '-K', outside, ...offloads);
  await runTool(...within, 'ethtool', '-K', inside, ...offloads);
  for (const user of users) await runTool('ip', 'address', 'add', `${user}/32`, 'dev', outside);
  await runTool(...within, 'ip', 'address', 'add', `${serverAddress}/32`, 'dev', inside);
  await runTool('ip', 'link', 'set', outside, 'up');
  await runTool(...within, 'ip', 'link', 'set', inside, 'up');
  await runTool('ip', 'route', 'add', `${serverAddress}/32`, 'dev', outside, 'src', users[0]);
  for (const user of users)
    await runTool(...within, 'ip', 'route', 'add', `${user}/32`, 'dev', inside, 'src', serverAddress);

  const server = spawn(
    'ip',
    [
      'netns',
      'exec',
      namespace,
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      program.pathname,
      JSON.stringify(ports),
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  stack.defer(async () => {
    server.stdin.end();
    if (server.exitCode === null) await once(server, 'exit');
  });
  await once(createInterface(server.stdout), 'line');

  const kept = stack.move();
  return {
    interface: outside,
    users,
    server: { address: serverAddress, ...ports },
    async lose(percent) {
      const rule = [
        'INPUT',
        '-i',
        outside,
        '-m',
        'statistic',
        '--mode',
        'random',
        '--probability',
        String(percent / 100),
        '-j',
        'DROP',
      ];
      await runTool('iptables', '-w', '-I', ...rule);
      kept.defer(() => discard('iptables', '-w', '-D', ...rule));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function discard(...command: [string, ...string[]]): Promise<void> {
  await runTool(...command);
}
