import pino from 'pino';
import { startEmbeddedPostgres } from '#controller/database/embedded/start-embedded-postgres.ts';

// A process that owns a server until it is killed; it says "ready" when the server answers.
const log = pino({ level: 'silent' });
await startEmbeddedPostgres({ folder: process.argv[2]!, log, signal: AbortSignal.timeout(30_000) });
process.stdout.write('ready\n');
