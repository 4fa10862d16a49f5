import { expect, test } from 'vitest';
import { TunnelProcess } from '#testbed/tunnel/tunnel-process.ts';

const start = (script: string, input?: string) =>
  new TunnelProcess([], ['sh', '-c', script], { name: 'openvpn', ...(input !== undefined && { input }) });

test.skipIf(process.platform !== 'linux')(
  'a program of a tunnel that ends is reported with its status and its last three lines',
  async () => {
    await using ended = start('printf "1\\n2\\n3\\n4\\n" >&2; exit 3');
    await expect(ended.until(() => false)).rejects.toThrow(/^openvpn ended \(exit status 3\): 2 \| 3 \| 4$/);
    await using silent = start('exit 1');
    await expect(silent.until(() => false)).rejects.toThrow(/^openvpn ended \(exit status 1\)$/);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a program of a tunnel has its keys as input, is waited for until it is ready, and ends when it is disposed of',
  async () => {
    const running = start('cat; echo ready; exec sleep 60', 'a key\n');
    await running.until(() => running.output.endsWith('ready\n'));
    expect(running.output).toBe('a key\nready\n');
    expect(running.explainEnd()).toBeNull();
    await running[Symbol.asyncDispose]();
    expect(running.explainEnd()).toContain('openvpn ended (SIGKILL)');
  },
);
