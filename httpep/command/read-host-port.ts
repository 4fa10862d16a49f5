import { InvalidArgumentError } from 'commander';

export interface HostPort {
  host: string;
  port: number;
}

/** `HOST:PORT` from the command line, an IPv6 address in brackets. Port 0: any that is free. */
export function readHostPort(text: string): HostPort {
  const parts = /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/i.exec(text);
  const host = parts?.[1] ?? parts?.[2];
  const port = Number(parts?.[3]);
  if (host === undefined || port > 65_535) {
    throw new InvalidArgumentError('It must be HOST:PORT, such as 127.0.0.1:3128, or [::1]:3128 for IPv6.');
  }
  return { host, port };
}
