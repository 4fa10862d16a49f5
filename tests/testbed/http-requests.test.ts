import { compareRequests } from './support/compare-requests.ts';
import { openRecorded } from './support/recorded-wireshark.ts';

compareRequests(openRecorded('http-requests'));
