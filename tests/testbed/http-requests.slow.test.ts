import { compareRequests } from './support/compare-requests.ts';
import { openLive } from './support/recorded-wireshark.ts';

compareRequests(await openLive('http-requests'));
