import { writeHttpepCommand } from '#agent/processes/httpep-command.ts';

/** Makes the files of one end of HTTPEP, prints a line, and waits to be killed: an Agent in the midst of a Round. */
await writeHttpepCommand(['http-ae'], {
  end: 'remote',
  listen: '198.19.0.2:3128',
  key: 'k'.repeat(44),
  ground: '198.19.0.1:9000',
  connections: 1,
  clients: ['198.19.0.0/16'],
  tlsKey: null,
});
console.log('made');
setInterval(() => undefined, 60_000);
