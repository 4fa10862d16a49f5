import { InvalidArgumentError } from 'commander';

/** A TCP port from the command line. */
export function readPort(text: string): number {
  if (text === '0') throw new InvalidArgumentError('A port is a whole number from 1 to 65535.');
  return readPortOrAny(text);
}

/** A TCP port to listen on, from the command line. 0: any that is free, which the system chooses as it is bound. */
export function readPortOrAny(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a whole number from 1 to 65535, or 0 for any free one.');
  return port;
}
