import { compareStatistics } from './support/compare-statistics.ts';
import { openRecorded } from './support/recorded-wireshark.ts';

compareStatistics(openRecorded('capture-statistics'));
