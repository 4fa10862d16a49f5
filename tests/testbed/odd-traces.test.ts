import { compareOddTraces } from './support/compare-odd-traces.ts';
import { openRecorded } from './support/recorded-wireshark.ts';

compareOddTraces(openRecorded('odd-traces'));
