#!/usr/bin/env node
import { AppError } from '#core/app-error.ts';
import { pepCommand } from './command/pep-command.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal asks for an orderly end, the second ends the process at once. */
function watchSignals() {
  const controller = new AbortController();
  const end = () => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  for (const name of signals) process.on(name, end);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of signals) process.off(name, end);
    },
  };
}

try {
  await pepCommand(watchSignals).name('httpep').parseAsync();
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.error(`httpep: ${error.message}`);
  process.exitCode = 1;
}
