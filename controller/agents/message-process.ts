import { parseAgentMessage } from '#core/protocol/read-message.ts';
import { parseStorableJson } from '../database/storable-json.ts';

// Reads messages that would hold up the Controller: `line-reader.ts` sends their JSON, as it came.
process.on('message', (json: Uint8Array) => process.send!(parseAgentMessage(json, parseStorableJson)));
// The Controller is gone.
process.on('disconnect', () => process.exit());
