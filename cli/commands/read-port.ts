import { InvalidArgumentError } from 'commander';

/** A TCP port from the command line. */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new InvalidArgumentError('A port is a whole number from 1 to 65535.');
  return port;
}
