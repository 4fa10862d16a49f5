import { parseAgentMessage } from '#core/protocol/read-message.ts';

// Reads messages that would hold up the Controller: `line-reader.ts` sends their JSON, as it came.
process.on('message', (json: Uint8Array) => process.send!(parseAgentMessage(json)));
// The Controller is gone.
process.on('disconnect', () => process.exit());
