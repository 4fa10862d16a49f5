import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from './namespace-name.ts';
import { removeLeftovers } from './testbed-network.ts';

/** Removes what a process has left that is about to be gone: `node remove-after-owner.ts PID START_TICKS`, which `OwnerWatch` starts. */
const [pid, startTicks] = process.argv.slice(2).map(Number);
const owner = { pid: pid!, startTicks: startTicks! };
const pollMs = 20;
const mostPolls = 250;
// The kernel closes its files a moment before it is gone. One that lives on has given up its testbed otherwise.
for (let poll = 0; poll < mostPolls && isAlive(owner); poll++) await pause(pollMs);
await removeLeftovers();
