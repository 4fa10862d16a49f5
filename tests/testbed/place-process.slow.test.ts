import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProbe } from '#testbed/check/link-checker.ts';
import { openTestbedNetwork, type TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { commandOf, listProcesses, readOfProcess } from '#tests/support/list-processes.ts';

const stack = new AsyncDisposableStack();
let network: TestbedNetwork;

beforeAll(async () => {
  network = stack.use(await openTestbedNetwork());
});
afterAll(() => stack.disposeAsync());

/** Those that this test started. */
function listProbes(): number[] {
  const parentOf = (pid: string) => readOfProcess(pid, 'stat').split(') ').at(-1)!.split(' ')[1];
  return listProcesses((pid) => parentOf(pid) === `${process.pid}` && commandOf(pid).includes('probe-process.ts')).map(
    Number,
  );
}

test('a process that does not answer is ended, and the next orders start one other', async () => {
  await using probe = await startProbe(network, 'ground');
  const [stopped] = listProbes();
  process.kill(stopped!, 'SIGSTOP');
  await expect(probe.ask({ kind: 'report' }, 300)).rejects.toThrow(
    'did not answer within 0.3 s, of which it ran for 0.0 s',
  );
  const answers = await Promise.all([probe.ask({ kind: 'report' }, 10_000), probe.ask({ kind: 'forget' }, 10_000)]);
  expect(answers.map(({ load }) => load)).toEqual([null, null]);
  const others = listProbes();
  expect(others).toHaveLength(1);
  expect(others).not.toContain(stopped);
  expect(probe.failed.aborted).toBe(false);
});

test('a process that ended by itself is a failure, and takes no more orders', async () => {
  await using probe = await startProbe(network, 'remote');
  process.kill(listProbes()[0]!, 'SIGKILL');
  await expect.poll(() => probe.failed.aborted).toBe(true);
  await expect(probe.ask({ kind: 'report' }, 300)).rejects.toMatchObject({
    code: 'testbed-failed',
    message: "The link check's process in remote ended (SIGKILL)",
  });
});
